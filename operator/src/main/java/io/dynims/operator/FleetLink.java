package io.dynims.operator;

import io.dynims.core.wire.Hint;
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

  /** Gives a hint to the adapters of a node; fails if none of them keeps it. */
  CompletionStage<?> giveHint(String node, Hint hint);

  /** Withdraws an owner's hint from the adapters of a node. */
  CompletionStage<?> withdrawHint(String node, String owner);

  /** The views of all tiers. */
  CompletionStage<List<TierView>> tiers();
}
