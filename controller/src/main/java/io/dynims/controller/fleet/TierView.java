package io.dynims.controller.fleet;

import io.dynims.core.tier.TierStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Optionally;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;

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
    State state,
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
    @Optionally Target lastDecision) {

  static TierView of(Tier tier, long nowMillis) {
    State.Verdict verdict = State.of(tier, nowMillis);
    Policy policy = tier.policy();
    TierStatus inForce = tier.inForce();
    Target decision = tier.lastDecision();
    return new TierView(
        tier.key().node(),
        tier.key().tier(),
        tier.document().mode(),
        verdict.state(),
        verdict.reason(),
        decision == null ? null : decision.capacityBytes(),
        inForce == null ? null : inForce.capacityBytes(),
        inForce == null ? null : inForce.usedBytes(),
        inForce == null ? null : inForce.unevictableBytes(),
        policy == null ? null : policy.minBytes(),
        policy == null ? null : policy.maxBytes(),
        decision == null ? null : decision.memoryUsedBytes(),
        decision == null ? null : decision.memoryTotalBytes(),
        decision == null ? null : decision.utilization(),
        tier.document().threshold(),
        decision == null ? null : decision.sampledMillis(),
        decision == null ? null : nowMillis - decision.sampledMillis(),
        decision);
  }
}
