package io.dynims.tier;

import io.dynims.core.wire.Unpersisted;

/** An in-memory store whose capacity can change while it runs; what an adapter implements. */
public interface TierStore {

  /**
   * The tier's state; does not wait for a resize in progress.
   *
   * @throws StoreUnavailableException if the store is unavailable
   */
  TierStatus status() throws StoreUnavailableException;

  /**
   * Moves the capacity as close to the desired one as is possible now, and returns the state
   * afterwards. Calls come one at a time. A call takes a bounded time; the next call continues with
   * what is left.
   *
   * <p>The store clamps the desired capacity to its bounds, and its callers do not: only the store
   * knows its bounds at the moment of the resize, and it may apply the same capacity again after
   * they have changed, as when it reconnects.
   *
   * @param desiredBytes the desired capacity in bytes, at least 0; may lie outside the bounds
   * @throws StoreUnavailableException if the store is unavailable
   * @see CapacityBounds#clamp
   */
  TierStatus resize(long desiredBytes) throws StoreUnavailableException;

  /**
   * Sets what happens to data that exists nowhere else. Called at the start and with every new
   * policy; never waits. Before the first call such data is protected, if the store can tell it
   * from other data.
   */
  default void setUnpersisted(Unpersisted what) {}
}
