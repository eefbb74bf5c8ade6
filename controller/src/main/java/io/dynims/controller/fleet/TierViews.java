package io.dynims.controller.fleet;

import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierView;
import io.dynims.tier.TierStatus;

/** Makes the view of a tier that REST, the page and Kubernetes show. */
final class TierViews {

  private TierViews() {}

  /** The tier's view at an instant of this machine's clock. */
  static TierView of(Tier tier, long nowMillis) {
    Assessment assessment = Assessment.of(tier, nowMillis);
    Policy policy = tier.policy();
    TierStatus inForce = tier.inForce();
    Target decision = tier.lastDecision();
    return new TierView(
        tier.key().node(),
        tier.key().tier(),
        tier.document().mode(),
        assessment.state(),
        assessment.reason(),
        decision == null ? null : decision.desiredBytes(),
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
