package io.dynims.tier;

import io.dynims.core.node.NodeSampler;
import io.dynims.core.wire.Hint;
import java.util.Optional;

/**
 * What an adapter needs to protect its node without a controller.
 *
 * @param node the node's name in policies; null if the adapter does not know it
 * @param sampler reads the node's memory; empty for an adapter that does not protect its node
 * @param stateFile keeps the policy and the hints for a restart
 * @param longestHintMillis for how long a hint may hold, above 0
 */
public record GuardSettings(
    String node, Optional<NodeSampler> sampler, StateFile stateFile, long longestHintMillis) {

  /** With hints of the usual length. */
  public GuardSettings(String node, Optional<NodeSampler> sampler, StateFile stateFile) {
    this(node, sampler, stateFile, Hint.DEFAULT_MILLIS);
  }

  /** No protection, as where a tier is simulated. */
  public static GuardSettings none() {
    return new GuardSettings(null, Optional.empty(), StateFile.open(Optional.empty()));
  }
}
