package io.dynims.adapter;

import io.dynims.tier.CapacityBounds;

/**
 * The worker's tier for as long as one connection lasts: its capacity is its quota minus what the
 * balloon reserves.
 *
 * @param worker the connection
 * @param balloon what is reserved through this connection
 * @param bounds the capacities that the tier accepts
 * @param quotaBytes what the worker is configured with, at least the largest capacity; the
 *     difference is always reserved
 * @param storeVersion Alluxio's version
 */
record ConnectedTier(
    WorkerConnection worker,
    Balloon balloon,
    CapacityBounds bounds,
    long quotaBytes,
    String storeVersion) {

  /** The capacity in force while that much is reserved. */
  long capacityBytes(long reservedBytes) {
    // When the master corrects the quota downwards, more than all of it may be reserved.
    return Math.max(0, quotaBytes - reservedBytes);
  }

  /**
   * What to reserve for a desired capacity, clamped to the bounds here and nowhere else. A worker
   * asked for more than it has evicts everything and then refuses.
   */
  long targetReservedBytes(long desiredBytes) {
    return quotaBytes - bounds.clamp(desiredBytes);
  }
}
