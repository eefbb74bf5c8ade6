package io.dynims.controller.fleet;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierState;
import io.dynims.tier.GuardState;

/**
 * The state of one tier at one instant.
 *
 * @param state the first state whose condition holds, in the order of {@link #of}
 * @param reason why, where the state does not say it all; null otherwise
 */
record Assessment(TierState state, String reason) {

  /** Derives the state; nothing else does. Earlier conditions win over later ones. */
  static Assessment of(Tier tier, long nowMillis) {
    Policy policy = tier.policy();
    Target target = tier.lastDecision();
    if (policy.mode() == Mode.Off) {
      return new Assessment(TierState.Off, null);
    }
    if (tier.document().adapter() == null) {
      return new Assessment(TierState.Pending, "no adapter is known: no agent runs on this node");
    }
    if (tier.failure() != null) {
      return new Assessment(TierState.Unreachable, tier.failure());
    }
    if (tier.inForce() == null) {
      return new Assessment(TierState.Pending, "the adapter has not answered yet");
    }
    GuardState guard = tier.inForce().guard();
    if (guard == GuardState.Deciding) {
      return new Assessment(
          TierState.Guarded, "no controller had the tier: the guard on the node decides");
    }
    if (guard == GuardState.Braking) {
      return new Assessment(
          TierState.Guarded, "utilization was critical: the guard on the node shrank the tier");
    }
    if (target == null) {
      return new Assessment(
          TierState.Pending, "no decision yet: no metrics of this node were seen");
    }
    if (target.limitedBy() == Limit.Stale) {
      return new Assessment(TierState.Stale, target.reason());
    }
    // The age is in ageMillis; a reason that contained it would change with every tick.
    long ageMillis = nowMillis - target.sampledMillis();
    long staleAfterMillis = policy.staleAfterMillis();
    if (ageMillis > staleAfterMillis) {
      return new Assessment(
          TierState.Stale, "the last sample is older than " + staleAfterMillis + " ms");
    }
    // Or the state would change with every sample where all of them come late.
    if (tier.shownState() == TierState.Stale && ageMillis > staleAfterMillis / 2) {
      return new Assessment(
          TierState.Stale,
          "samples come late again, after " + staleAfterMillis / 2 + " ms or more");
    }
    if (policy.mode() == Mode.Recommend) {
      return new Assessment(TierState.Recommending, PolicyWarnings.budgetProblem(tier));
    }
    if (tier.lastPush() == null) {
      // Another replica pushes; this one only polls the tier.
      return Boolean.TRUE.equals(tier.inForce().leaseHeld())
          ? new Assessment(TierState.Enforcing, PolicyWarnings.budgetProblem(tier))
          : new Assessment(TierState.Pending, "the first push is under way");
    }
    return tier.lastPush().status() == AckStatus.Partial
        ? new Assessment(TierState.Partial, tier.lastPush().message())
        : new Assessment(TierState.Enforcing, PolicyWarnings.budgetProblem(tier));
  }
}
