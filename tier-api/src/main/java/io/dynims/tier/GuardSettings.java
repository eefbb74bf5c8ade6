package io.dynims.tier;

import io.dynims.core.node.NodeSampler;
import java.util.Optional;

/**
 * What an adapter needs to protect its node without a controller.
 *
 * @param node the node's name in policies; null if the adapter does not know it
 * @param sampler reads the node's memory; empty for an adapter that does not protect its node
 * @param stateFile keeps the policy for a restart
 */
public record GuardSettings(String node, Optional<NodeSampler> sampler, StateFile stateFile) {

  /** No protection, as where a tier is simulated. */
  public static GuardSettings none() {
    return new GuardSettings(null, Optional.empty(), StateFile.open(Optional.empty()));
  }
}
