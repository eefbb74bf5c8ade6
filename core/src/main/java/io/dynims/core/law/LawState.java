package io.dynims.core.law;

/**
 * What a law remembers of one tier from one decision to the next. Only the law knows what the
 * values mean; whoever hosts the loop stores them.
 *
 * @param values the law's own numbers, never changed in place
 */
public record LawState(double[] values) {

  /** Before the first decision, and always for a law that remembers nothing. */
  public static final LawState NONE = new LawState(new double[0]);
}
