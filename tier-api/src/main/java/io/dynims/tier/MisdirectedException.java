package io.dynims.tier;

/** The request is for another node's tier. */
final class MisdirectedException extends Exception {

  private static final long serialVersionUID = 1L;

  MisdirectedException(String asked, String own) {
    super("policy.node: the policy is of node '" + asked + "', but this is node '" + own + "'");
  }
}
