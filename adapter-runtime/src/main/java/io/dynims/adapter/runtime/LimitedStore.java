package io.dynims.adapter.runtime;

import io.dynims.tier.StoreUnavailableException;

/**
 * A store with a limit that can be set while it runs, and that evicts by itself what exceeds it.
 * {@link LimitedTier} makes a tier of it.
 */
public interface LimitedStore extends AutoCloseable {

  /**
   * Connects; does nothing if there is a connection.
   *
   * @throws StoreUnavailableException if the store does not answer, or must not be resized; the
   *     message names it and says why
   */
  void connect() throws StoreUnavailableException, InterruptedException;

  /**
   * What the store says now. Called by any thread, also during a step, for which it does not wait.
   *
   * @throws StoreUnavailableException if there is no connection, if it has just been lost, or if
   *     the store must not be resized any more
   */
  StoreReading read() throws StoreUnavailableException;

  /**
   * Sets the limit as close to the goal as clients do not notice, and makes the store give back the
   * memory. One call takes some milliseconds; calls come one at a time.
   *
   * @param goalBytes the limit to arrive at
   * @return whether the goal is reached: the limit is set, and all that can be given back is
   * @throws StoreUnavailableException if there is no connection, or it has just been lost
   */
  boolean step(long goalBytes) throws StoreUnavailableException, InterruptedException;

  /**
   * Whether the store takes another step though the goal was reached, as it has changed since: a
   * copy of another store has become one of its own, for example. Does not ask the store.
   */
  default boolean needsStep() {
    return false;
  }

  /** Whether its data is in the memory of a process, not in files. */
  default boolean isInProcess() {
    return false;
  }

  /** Registers the store's own metrics. */
  default void register(AdapterMetrics metrics) {}

  /** The largest limit at most as large as a goal that the store can have, or its least limit. */
  default long rounded(long goalBytes) {
    return goalBytes;
  }

  @Override
  void close();
}
