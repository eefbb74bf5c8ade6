package io.dynims.core.wire;

/**
 * A tier as the REST API shows it. What is not known is null.
 *
 * @param stateReason why the state is what it is, where that is not self-evident
 * @param desiredBytes the capacity last decided
 * @param capacityBytes the capacity in force, as the adapter last told
 * @param minBytes Umin of the policy
 * @param maxBytes Umax of the policy
 * @param ageMillis how old the last sample is by this machine's clock
 */
public record TierView(
    String node,
    String tier,
    Mode mode,
    TierState state,
    @Optionally String stateReason,
    @Optionally Long desiredBytes,
    @Optionally Long capacityBytes,
    @Optionally Long usedBytes,
    @Optionally Long unevictableBytes,
    @Optionally Long minBytes,
    @Optionally Long maxBytes,
    @Optionally Long memoryUsedBytes,
    @Optionally Long memoryTotalBytes,
    @Optionally Double utilization,
    double threshold,
    @Optionally Long sampledMillis,
    @Optionally Long ageMillis,
    @Optionally Target lastDecision) {}
