package io.dynims.core.law;

/** A feedback law, without a clock or I/O. */
@FunctionalInterface
public interface ControlLaw {

  /**
   * Decides the next capacity of a node's tiers from one sample.
   *
   * @param model what is known of the node from the samples before; takes this one into account
   */
  CapacityDecision decide(LawInput input, NodeModel model);
}
