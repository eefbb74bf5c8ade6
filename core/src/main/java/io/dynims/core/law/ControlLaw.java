package io.dynims.core.law;

/** A feedback law: a pure function without a clock or I/O. */
@FunctionalInterface
public interface ControlLaw {

  /**
   * Decides the tier's next capacity from one sample of its node.
   *
   * @param state what the previous decision for this tier returned, or {@link LawState#NONE}
   * @return the decision, with the state to pass to the next one
   */
  CapacityDecision decide(LawInput input, LawState state);
}
