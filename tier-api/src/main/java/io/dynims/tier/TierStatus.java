package io.dynims.tier;

import io.dynims.core.wire.Hint;
import io.dynims.core.wire.OptionalField;
import io.dynims.core.wire.Require;
import java.util.List;

/**
 * The state of a tier at one moment; the body of every successful answer of the Tier API.
 *
 * <p>The capacity in force may lie outside the bounds: data that cannot be evicted keeps it up, and
 * bounds can change while a capacity is in force.
 *
 * @param node the node's name; null if the adapter does not know it
 * @param tier the tier's name
 * @param capacityBytes the capacity in force
 * @param minBytes the smallest capacity that the store accepts
 * @param maxBytes the largest capacity that the store can have, at least {@code minBytes}
 * @param usedBytes what the store counts as the tier's data, never just a limit
 * @param reservedBytes held back from the store to enforce the capacity
 * @param unevictableBytes what the last request should have evicted but could not, for example
 *     because it is pinned or being read
 * @param unpersistedBytes what of the data exists nowhere else; null if unknown
 * @param hitRatio the share of the block reads of the last minute that the tier served, in [0, 1];
 *     null if unknown or if there were none
 * @param storeVersion the store's own version
 * @param nodeMemoryBytes the memory of the node, or of its control group; null if unknown
 * @param sampledMillis the sample time of the capacity in force, epoch milliseconds; null before
 *     the first request
 * @param leaseHeld whether a controller's lease on the capacity is running; null before the first
 *     request
 * @param guard what the guard on the node does; null if it has no policy to follow
 * @param guardDecidedMillis when the guard last decided, epoch milliseconds by the node's clock;
 *     null if it has not since it started
 * @param residentBytes the memory that the node lacks because of the tier's data, with what is
 *     fragmented; null if it is {@code usedBytes}
 * @param hints what jobs of the node are about to take, now or later; null for nothing
 * @param inProcess whether the data is in the memory of a process; null or false for files, which
 *     collectd's stock plugin takes for cache
 * @param measuredMillis when the adapter looked at the data, epoch milliseconds by the node's
 *     clock; null if unknown
 */
public record TierStatus(
    @OptionalField String node,
    String tier,
    long capacityBytes,
    long minBytes,
    long maxBytes,
    long usedBytes,
    long reservedBytes,
    long unevictableBytes,
    @OptionalField Long unpersistedBytes,
    @OptionalField Double hitRatio,
    String storeVersion,
    @OptionalField Long nodeMemoryBytes,
    @OptionalField Long sampledMillis,
    @OptionalField Boolean leaseHeld,
    @OptionalField GuardState guard,
    @OptionalField Long guardDecidedMillis,
    @OptionalField Long residentBytes,
    @OptionalField List<Hint> hints,
    @OptionalField Boolean inProcess,
    @OptionalField Long measuredMillis) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field and its value
   */
  public TierStatus {
    Require.amount("capacityBytes", capacityBytes);
    var unused = new CapacityBounds(minBytes, maxBytes);
    Require.amount("usedBytes", usedBytes);
    Require.amount("reservedBytes", reservedBytes);
    Require.amount("unevictableBytes", unevictableBytes);
    Require.amount("unpersistedBytes", unpersistedBytes);
    Require.ratio("hitRatio", hitRatio);
    Require.amount("nodeMemoryBytes", nodeMemoryBytes);
    Require.amount("residentBytes", residentBytes);
    Require.amount("sampledMillis", sampledMillis);
    Require.amount("measuredMillis", measuredMillis);
    hints = Hint.list(hints);
  }

  /** The state as the store tells it, with its data in files; the server adds who asked for it. */
  public TierStatus(
      String tier,
      long capacityBytes,
      long minBytes,
      long maxBytes,
      long usedBytes,
      long reservedBytes,
      long unevictableBytes,
      Long unpersistedBytes,
      Double hitRatio,
      String storeVersion,
      Long nodeMemoryBytes,
      Long residentBytes) {
    this(
        null,
        tier,
        capacityBytes,
        minBytes,
        maxBytes,
        usedBytes,
        reservedBytes,
        unevictableBytes,
        unpersistedBytes,
        hitRatio,
        storeVersion,
        nodeMemoryBytes,
        null,
        null,
        null,
        null,
        residentBytes,
        null,
        null,
        null);
  }

  /** The same state of a store whose data is, or is not, in the memory of a process. */
  public TierStatus withInProcess(boolean newInProcess) {
    return with(
        node,
        sampledMillis,
        leaseHeld,
        guard,
        guardDecidedMillis,
        hints,
        newInProcess ? true : null,
        measuredMillis);
  }

  /** The memory that the node lacks because of the tier's data; what a law acts on. */
  public long occupiedBytes() {
    return residentBytes == null ? usedBytes : residentBytes;
  }

  /** The same state of the store, with what the server adds; the hints are null for none. */
  TierStatus with(
      String newNode,
      Long newSampledMillis,
      Boolean newLeaseHeld,
      GuardState newGuard,
      Long newGuardDecidedMillis,
      List<Hint> newHints,
      Boolean newInProcess,
      Long newMeasuredMillis) {
    return new TierStatus(
        newNode,
        tier,
        capacityBytes,
        minBytes,
        maxBytes,
        usedBytes,
        reservedBytes,
        unevictableBytes,
        unpersistedBytes,
        hitRatio,
        storeVersion,
        nodeMemoryBytes,
        newSampledMillis,
        newLeaseHeld,
        newGuard,
        newGuardDecidedMillis,
        residentBytes,
        newHints,
        newInProcess,
        newMeasuredMillis);
  }
}
