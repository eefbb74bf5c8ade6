package io.dynims.tier;

/** An in-memory store whose capacity can be changed while it runs; what an adapter implements. */
public interface TierStore {

  /**
   * What the tier is now; does not wait for a resize that is under way.
   *
   * @throws StoreUnavailableException when the store is away
   */
  TierStatus status() throws StoreUnavailableException;

  /**
   * Moves the capacity as far towards the wanted one as can be had now, and returns what is in
   * force. Calls come one at a time. Takes a bounded time: what is left is done by the next call.
   *
   * @param capacityBytes the capacity wanted, within the store's bounds
   * @throws StoreUnavailableException when the store is away
   */
  TierStatus resize(long capacityBytes) throws StoreUnavailableException;
}
