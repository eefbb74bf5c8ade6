package io.dynims.operator;

import io.dynims.core.wire.TierView;
import io.dynims.policy.PolicySet;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The operator's way to the fleet. Every call returns at once and may come on any thread. */
public interface FleetLink {

  /** What the MemoryTiers amount to now. */
  void follow(PolicySet set);

  /** What this replica does from now on. */
  void become(Role role);

  /** All tiers as they are shown. */
  CompletionStage<List<TierView>> tiers();
}
