package io.dynims.controller.fleet;

import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds problems with policies in effect, such as a maximum beyond the store's own. */
final class PolicyWarnings {

  private PolicyWarnings() {}

  /**
   * The problems of a tier's policy.
   *
   * @param withheld the tiers that are not withdrawn yet although no document names them
   */
  static List<PolicyWarning> of(Tier tier, Set<TierKey> withheld) {
    Optional<String> vacancy =
        withheld.contains(tier.key())
            ? Optional.of(
                "no document names this tier any more, as if by mistake; it is withdrawn if that"
                    + " lasts for policies.withdrawal.delay")
            : Optional.empty();
    return Stream.of(vacancy, Optional.ofNullable(problem(tier)))
        .flatMap(Optional::stream)
        .map(reason -> new PolicyWarning(tier.key().node(), tier.key().tier(), reason))
        .toList();
  }

  /** What is wrong with a tier's policy on its node, or null; known once the adapter answers. */
  static String problem(Tier tier) {
    String ofBudget = budgetProblem(tier);
    return ofBudget == null ? boundsProblem(tier) : ofBudget;
  }

  /** The same of the memory that the node may use. */
  static String budgetProblem(Tier tier) {
    Long budgetBytes = tier.policy().memoryBudgetBytes();
    Long totalBytes = tier.memoryTotalBytes();
    return budgetBytes != null && totalBytes < budgetBytes
        ? "spec.memory.total is "
            + budgetBytes
            + " bytes, but the node's memory is "
            + totalBytes
            + ", which applies"
        : null;
  }

  private static String boundsProblem(Tier tier) {
    TierStatus inForce = tier.inForce();
    Long totalBytes = tier.memoryTotalBytes();
    if (totalBytes == null || inForce == null) {
      return null;
    }
    Policy policy = tier.policy();
    long maxBytes = policy.maxBytesOf(totalBytes);
    if (policy.isMinAboveMax(totalBytes)) {
      return "spec.capacity.min is above spec.capacity.max on a node that may use "
          + totalBytes
          + " bytes; the maximum of "
          + maxBytes
          + " bytes applies";
    }
    return maxBytes > inForce.maxBytes()
        ? "spec.capacity.max is "
            + maxBytes
            + " bytes, but the tier's own maximum is "
            + inForce.maxBytes()
        : null;
  }
}
