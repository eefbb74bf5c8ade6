package io.dynims.core.share;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Policy;

/**
 * A tier of a node as it was when a sample came.
 *
 * @param input what its law would see of it alone
 * @param unpersistedBytes what it holds that exists nowhere else, at least 0
 * @param overheadBytes what it holds above its capacity for good, at least 0
 * @param hitRatio the share of reads that it served lately, in [0, 1]; null if unknown
 */
public record SharingTier(
    Policy policy, LawInput input, long unpersistedBytes, long overheadBytes, Double hitRatio) {

  LawParameters parameters() {
    return policy.parameters(input.memoryTotalBytes(), unpersistedBytes);
  }

  double weight() {
    return policy.share().weight();
  }

  /** Decides for it as if it were the only one. */
  CapacityDecision decideAlone(NodeModel model) {
    return policy.decide(input, unpersistedBytes, model);
  }
}
