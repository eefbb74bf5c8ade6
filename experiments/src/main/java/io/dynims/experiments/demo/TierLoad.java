package io.dynims.experiments.demo;

import java.util.function.LongConsumer;

/** Data that is read through a tier: numbered items of one size, whose bytes a seed determines. */
public interface TierLoad {

  /** How a read ended. */
  enum Outcome {
    /** The bytes were the right ones. */
    Correct,
    /** The tier did not have the item, which was written again. */
    Missed,
    /** Some byte was wrong. */
    Wrong
  }

  /** What one thread reads with. */
  interface Session extends AutoCloseable {

    /**
     * Reads an item.
     *
     * @param item from 0 to {@link #items}, exclusive
     * @throws Exception if the tier does not answer or refuses; the next read starts afresh
     */
    Outcome read(int item) throws Exception;

    @Override
    default void close() {}
  }

  /** The number of items. */
  int items();

  /** The size of each item. */
  int itemBytes();

  /** Writes what is missing. */
  void ensure(LongConsumer doneBytes) throws Exception;

  /** Takes all items out of the tier. */
  default void evictAll() throws Exception {
    throw new UnsupportedOperationException("this data cannot be taken out of its tier");
  }

  /** A new session; nothing is connected yet. */
  Session session();
}
