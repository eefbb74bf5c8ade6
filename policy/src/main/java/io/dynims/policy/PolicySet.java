package io.dynims.policy;

import java.util.List;

/**
 * The policies that result from all documents.
 *
 * @param tiers the policies in force, one for each node and tier
 * @param errors what was refused; the last good version of such a document stays in force
 * @param vacancy where documents name no node, perhaps by mistake
 */
public record PolicySet(List<NodePolicySpec> tiers, List<PolicyError> errors, Vacancy vacancy) {

  public static final PolicySet EMPTY = new PolicySet(List.of(), List.of());

  /** Policies without a vacancy. */
  public PolicySet(List<NodePolicySpec> tiers, List<PolicyError> errors) {
    this(tiers, errors, Vacancy.NONE);
  }
}
