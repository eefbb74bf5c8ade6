package io.dynims.adapter.runtime;

import io.dynims.tier.TierStore;

/** A store as an adapter has it: with a beginning, an end and metrics of its own. */
public interface AdapterStore extends TierStore, AutoCloseable {

  /**
   * Connects, and restores the capacity of the state file if there is one. A store that is away is
   * no error: it is reconnected later.
   */
  void start() throws InterruptedException;

  /** Registers the store's own metrics. */
  default void register(AdapterMetrics metrics) {}

  /** Gives the store back what the adapter holds of it, in bounded time. */
  @Override
  void close() throws InterruptedException;
}
