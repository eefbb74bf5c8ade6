package io.dynims.controller.api;

import io.dynims.controller.fleet.FleetTrends;
import io.dynims.controller.fleet.PolicyWarning;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierView;
import io.dynims.core.wire.WireCodec;
import io.dynims.policy.PolicyError;
import java.util.List;

/** Response bodies with lists. */
final class Lists {

  static final WireCodec<Tiers> TIERS = new WireCodec<>(Tiers.class);
  static final WireCodec<Policies> POLICIES = new WireCodec<>(Policies.class);
  static final WireCodec<FleetTrends> TRENDS = new WireCodec<>(FleetTrends.class);
  static final WireCodec<Hints> HINTS = new WireCodec<>(Hints.class);
  static final WireCodec<Decisions> DECISIONS = new WireCodec<>(Decisions.class);

  private Lists() {}

  record Tiers(List<TierView> tiers) {}

  record Policies(List<Policy> policies, List<PolicyError> errors, List<PolicyWarning> warnings) {}

  record Hints(List<NodeHint> hints) {}

  record Decisions(List<Target> decisions) {}
}
