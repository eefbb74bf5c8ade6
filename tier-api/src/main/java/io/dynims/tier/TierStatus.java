package io.dynims.tier;

import io.dynims.core.wire.OptionalField;

/**
 * The state of a tier at one moment; the body of every successful answer of the Tier API.
 *
 * <p>The capacity in force may lie outside the bounds: data that cannot be evicted keeps it up, and
 * bounds can change while a capacity is in force.
 *
 * @param tier the tier's name
 * @param capacityBytes the capacity in force
 * @param minBytes the smallest capacity that the store accepts
 * @param maxBytes the largest capacity that the store can have, at least {@code minBytes}
 * @param usedBytes memory that the tier's data occupies, never just a limit
 * @param reservedBytes held back from the store to enforce the capacity
 * @param unevictableBytes what the last request should have evicted but could not, for example
 *     because it is pinned or being read
 * @param storeVersion the store's own version
 * @param nodeMemoryBytes the memory of the node, or of its control group; null if unknown
 * @param sampledMillis the sample time of the capacity in force, epoch milliseconds; null before
 *     the first request
 * @param leaseHeld whether a controller's lease on the capacity is running; null before the first
 *     request
 */
public record TierStatus(
    String tier,
    long capacityBytes,
    long minBytes,
    long maxBytes,
    long usedBytes,
    long reservedBytes,
    long unevictableBytes,
    String storeVersion,
    @OptionalField Long nodeMemoryBytes,
    @OptionalField Long sampledMillis,
    @OptionalField Boolean leaseHeld) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field and its value
   */
  public TierStatus {
    Require.notNegative("capacityBytes", capacityBytes);
    var unused = new CapacityBounds(minBytes, maxBytes);
    Require.notNegative("usedBytes", usedBytes);
    Require.notNegative("reservedBytes", reservedBytes);
    Require.notNegative("unevictableBytes", unevictableBytes);
    if (nodeMemoryBytes != null) {
      Require.notNegative("nodeMemoryBytes", nodeMemoryBytes);
    }
    if (sampledMillis != null) {
      Require.notNegative("sampledMillis", sampledMillis);
    }
  }

  TierStatus withLease(Long newSampledMillis, Boolean newLeaseHeld) {
    return new TierStatus(
        tier,
        capacityBytes,
        minBytes,
        maxBytes,
        usedBytes,
        reservedBytes,
        unevictableBytes,
        storeVersion,
        nodeMemoryBytes,
        newSampledMillis,
        newLeaseHeld);
  }
}
