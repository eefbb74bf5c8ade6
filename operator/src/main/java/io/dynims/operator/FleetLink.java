package io.dynims.operator;

import io.dynims.core.wire.TierView;
import io.dynims.policy.PolicySet;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The operator's access to the fleet. Calls return at once and may come from any thread. */
public interface FleetLink {

  /** Applies the policies of all MemoryTiers. */
  void applyPolicies(PolicySet set);

  /** Changes the role of this replica. */
  void changeRole(Role role);

  /** The views of all tiers. */
  CompletionStage<List<TierView>> tiers();
}
