package io.dynims.torture.plan;

import io.dynims.core.wire.Policy;
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
}
