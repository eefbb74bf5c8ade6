package io.dynims.torture.plan;

import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.Rates;
import io.dynims.simulation.SimulatedStore;

/**
 * A tier of a node.
 *
 * @param policy the policy that it begins with
 * @param store how its store behaves
 * @param heldBytes what it holds at the beginning
 * @param demandBytes what its data set would occupy
 * @param budgetMillis how long its adapter takes for a request at most before it answers
 */
public record TierSetup(
    Policy policy,
    SimulatedStore.Behaviour store,
    long heldBytes,
    long demandBytes,
    long budgetMillis) {

  /** The tier's name. */
  public String name() {
    return policy.tier();
  }

  TierSetup freeingAtOnce() {
    var behaviour =
        new SimulatedStore.Behaviour(
            store.minBytes(),
            store.maxBytes(),
            new Rates(Double.POSITIVE_INFINITY, store.rates().fillBytesPerSecond()),
            store.grainBytes(),
            store.limitsAtOnce(),
            store.usedRatio());
    return new TierSetup(policy, behaviour, heldBytes, demandBytes, budgetMillis);
  }

  TierSetup withoutBrakes() {
    GuardPolicy guard = new GuardPolicy(policy.guard().onLostControl(), 1.0, 1.0, null);
    Policy changed =
        new Policy(
            policy.node(),
            policy.tier(),
            policy.mode(),
            policy.law(),
            policy.threshold(),
            policy.gain(),
            policy.forecast(),
            policy.minBytes(),
            policy.minRatio(),
            policy.maxBytes(),
            policy.maxRatio(),
            policy.memoryBudgetBytes(),
            policy.intervalMillis(),
            policy.staleAfterMillis(),
            policy.onDelete(),
            policy.unpersisted(),
            guard,
            policy.share());
    return new TierSetup(changed, store, heldBytes, demandBytes, budgetMillis);
  }
}
