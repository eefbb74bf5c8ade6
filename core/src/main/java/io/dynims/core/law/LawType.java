package io.dynims.core.law;

/** The laws that a policy can name. */
public enum LawType {
  /** {@link FeedbackLaw}, the paper's equation 1. */
  Feedback {
    @Override
    public ControlLaw create(LawParameters parameters) {
      return new FeedbackLaw(parameters);
    }
  };

  /** The law with these parameters. */
  public abstract ControlLaw create(LawParameters parameters);
}
