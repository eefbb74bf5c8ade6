package io.dynims.core.wire;

import io.dynims.core.law.LawType;

/**
 * A tier as the REST API shows it. Unknown values are null.
 *
 * @param paused whether somebody paused it, so that it is not resized
 * @param policy the name of its MemoryTier; without Kubernetes the policy file and the document
 * @param namespace the namespace of its MemoryTier; null without Kubernetes
 * @param stateReason why the tier is in this state, where the state does not say it all
 * @param desiredBytes the capacity last decided
 * @param capacityBytes the capacity in force, as the adapter last reported it
 * @param unpersistedBytes what the tier holds that exists nowhere else
 * @param hitRatio the share of the block reads of the last minute that the tier served, in [0, 1]
 * @param minBytes Umin of the policy
 * @param maxBytes Umax of the policy
 * @param ageMillis how old the last sample is by this machine's clock
 */
public record TierView(
    String node,
    String tier,
    Mode mode,
    boolean paused,
    LawType law,
    String policy,
    @OptionalField String namespace,
    TierState state,
    @OptionalField String stateReason,
    @OptionalField Long desiredBytes,
    @OptionalField Long capacityBytes,
    @OptionalField Long usedBytes,
    @OptionalField Long unevictableBytes,
    @OptionalField Long unpersistedBytes,
    @OptionalField Double hitRatio,
    @OptionalField Long minBytes,
    @OptionalField Long maxBytes,
    @OptionalField Long memoryUsedBytes,
    @OptionalField Long memoryTotalBytes,
    @OptionalField Double utilization,
    double threshold,
    @OptionalField Long sampledMillis,
    @OptionalField Long ageMillis,
    @OptionalField Target lastDecision) {}
