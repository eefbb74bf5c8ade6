package io.dynims.core.law;

/** A feedback law: pure, without a clock, I/O or state of its own. */
@FunctionalInterface
public interface ControlLaw {

  /** Decides the tier's next capacity from one sample of its node. */
  CapacityDecision decide(LawInput input);
}
