package io.dynims.tier;

import io.dynims.core.wire.OptionalField;

/**
 * What an in-memory tier is at this moment; the body of every answer of the Tier API.
 *
 * @param tier the tier's name
 * @param capacityBytes the capacity in force
 * @param minBytes the least capacity the store accepts
 * @param maxBytes the greatest capacity the store can have
 * @param usedBytes memory that the tier's data really occupies, never just a limit
 * @param reservedBytes what is held back from the store to enforce the capacity
 * @param unevictableBytes what is still to be given up by the last request and cannot be now, for
 *     example because it is pinned or being read
 * @param storeVersion the store's own version
 * @param nodeMemoryBytes the node's memory, or the limit of its control group; null if unknown
 * @param sampledMillis the sample time of the capacity in force, epoch milliseconds; null if none
 *     was applied yet
 * @param leaseHeld whether a controller's lease on the capacity is running; null if none ever did
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
