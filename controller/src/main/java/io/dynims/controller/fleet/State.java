package io.dynims.controller.fleet;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;

/** How it stands with one tier. */
public enum State {
  /** Something is still to come: the node's memory size, the adapter's or the job's first word. */
  Pending,
  /** The last decision is in force. */
  Enforcing,
  /** Decisions are made and shown, the tier is left as it is. */
  Recommending,
  /** The policy's mode is {@code Off}. */
  Off,
  /** Another capacity than the one decided is in force: what could be had. */
  Partial,
  /** The node's metrics are too old to act on. */
  Stale,
  /** The adapter did not answer the last request, or refused it. */
  Unreachable;

  /** A state and, where it is not self-evident, the reason; null otherwise. */
  public record Verdict(State state, String reason) {}

  /** The one place that derives the state. What is listed first goes first. */
  static Verdict of(Tier tier, long nowMillis) {
    Policy policy = tier.policy();
    Target target = tier.lastDecision();
    if (policy == null) {
      return new Verdict(Pending, tier.pendingReason());
    }
    if (policy.mode() == Mode.Off) {
      return new Verdict(Off, null);
    }
    if (tier.document().adapter() == null) {
      return new Verdict(Pending, "no adapter is known: no agent runs on this node");
    }
    if (tier.failure() != null) {
      return new Verdict(Unreachable, tier.failure());
    }
    if (tier.inForce() == null) {
      return new Verdict(Pending, "the adapter has not answered yet");
    }
    if (target == null) {
      return new Verdict(Pending, "no decision yet: no metrics of this node were seen");
    }
    if (target.limitedBy() == Limit.Stale) {
      return new Verdict(Stale, target.reason());
    }
    if (nowMillis - target.sampledMillis() > policy.staleAfterMillis()) {
      // How old it is says ageMillis; a reason that grows with it would have to be told on and on.
      return new Verdict(
          Stale, "the last sample is older than " + policy.staleAfterMillis() + " ms");
    }
    if (policy.mode() == Mode.Recommend) {
      return new Verdict(Recommending, null);
    }
    if (tier.lastPush() == null) {
      // Another replica pushes, and this one only asks what is in force.
      return Boolean.TRUE.equals(tier.inForce().leaseHeld())
          ? new Verdict(Enforcing, null)
          : new Verdict(Pending, "the first push is under way");
    }
    return tier.lastPush().status() == AckStatus.Partial
        ? new Verdict(Partial, tier.lastPush().message())
        : new Verdict(Enforcing, null);
  }
}
