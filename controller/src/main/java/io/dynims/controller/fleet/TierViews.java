package io.dynims.controller.fleet;

import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierView;
import io.dynims.tier.TierStatus;
import java.util.function.LongUnaryOperator;

/** Makes the view of a tier that REST, the page and Kubernetes show. */
final class TierViews {

  private TierViews() {}

  /** The tier's view at an instant of this machine's clock. */
  static TierView of(Tier tier, long nowMillis) {
    Assessment assessment = Assessment.of(tier, nowMillis);
    Policy policy = tier.policy();
    Long totalBytes = tier.memoryTotalBytes();
    TierStatus inForce = tier.inForce();
    Target decision = tier.lastDecision();
    return new TierView(
        tier.key().node(),
        tier.key().tier(),
        tier.document().mode(),
        tier.document().paused(),
        policy.law(),
        tier.document().origin(),
        tier.document().namespace(),
        assessment.state(),
        assessment.reason(),
        decision == null ? null : decision.desiredBytes(),
        inForce == null ? null : inForce.capacityBytes(),
        inForce == null ? null : inForce.occupiedBytes(),
        inForce == null ? null : inForce.unevictableBytes(),
        inForce == null ? null : inForce.unpersistedBytes(),
        inForce == null ? null : inForce.hitRatio(),
        bound(policy.minBytes(), totalBytes, policy::minBytesOf),
        bound(policy.maxBytes(), totalBytes, policy::maxBytesOf),
        decision == null ? null : decision.memoryUsedBytes(),
        decision == null ? null : decision.memoryTotalBytes(),
        decision == null ? null : decision.utilization(),
        tier.document().threshold(),
        decision == null ? null : decision.sampledMillis(),
        decision == null ? null : nowMillis - decision.sampledMillis(),
        decision);
  }

  /** A bound in bytes; null while it is a percentage of a memory that is not known yet. */
  private static Long bound(Long bytes, Long totalBytes, LongUnaryOperator resolve) {
    if (totalBytes != null) {
      return resolve.applyAsLong(totalBytes);
    }
    return bytes;
  }
}
