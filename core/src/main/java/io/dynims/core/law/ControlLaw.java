package io.dynims.core.law;

/** A feedback law with its parameters, without a clock or I/O. */
public sealed interface ControlLaw permits FeedbackLaw, ForecastLaw {

  /** The law that takes these parameters. */
  static ControlLaw of(LawParameters parameters) {
    return parameters.forecast() == null
        ? new FeedbackLaw(parameters)
        : new ForecastLaw(parameters);
  }

  /**
   * Decides the next capacity of a node's tiers from one sample.
   *
   * @param model what is known of the node from the samples before; takes this one into account
   */
  CapacityDecision decide(LawInput input, NodeModel model);
}
