package io.dynims.policy;

import java.util.List;

/**
 * What the documents amount to.
 *
 * @param tiers what is in force, one entry for each node and tier
 * @param errors what was refused; where a document has a last good version, that is in force
 */
public record PolicySet(List<NodePolicySpec> tiers, List<PolicyError> errors) {

  public static final PolicySet EMPTY = new PolicySet(List.of(), List.of());
}
