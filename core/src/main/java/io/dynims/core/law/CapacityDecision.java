package io.dynims.core.law;

/**
 * The tier's next capacity, and why.
 *
 * @param action what it does to the capacity in force
 * @param desiredBytes u[i+1]
 * @param limitedBy what kept the result from being the law's own
 * @param stepBytes what the law took from the capacity before bounds, negative for growth; 0 where
 *     the law was not asked
 * @param input what the law saw
 * @param parameters the policy's parameters
 * @param nextState what to pass to the law with the tier's next sample
 */
public record CapacityDecision(
    Action action,
    long desiredBytes,
    Limit limitedBy,
    double stepBytes,
    LawInput input,
    LawParameters parameters,
    LawState nextState) {

  /** The step of a law that remembers nothing, held to the bounds. */
  public static CapacityDecision bounded(
      LawInput input, LawParameters parameters, double stepBytes) {
    double wanted = input.capacityBytes() - stepBytes;
    if (wanted > parameters.maxBytes()) {
      return of(input, parameters, stepBytes, parameters.maxBytes(), Limit.Max);
    }
    if (wanted < parameters.minBytes()) {
      return of(input, parameters, stepBytes, parameters.minBytes(), Limit.Min);
    }
    return of(input, parameters, stepBytes, Math.round(wanted), Limit.None);
  }

  /** Holds the capacity in force because the metrics are too old to act on. */
  public static CapacityDecision stale(LawInput lastInput, LawParameters parameters) {
    return of(lastInput, parameters, 0, lastInput.capacityBytes(), Limit.Stale);
  }

  private static CapacityDecision of(
      LawInput input, LawParameters parameters, double stepBytes, long desiredBytes, Limit limit) {
    int order = Long.compare(desiredBytes, input.capacityBytes());
    Action action = order > 0 ? Action.Grow : order < 0 ? Action.Shrink : Action.Hold;
    return new CapacityDecision(
        action, desiredBytes, limit, stepBytes, input, parameters, LawState.NONE);
  }

  /** Explains the decision in one sentence; built only when called. */
  public String reason() {
    return switch (limitedBy) {
      case Stale -> "no fresh metrics: the capacity stays as it is";
      case Min -> comparison() + "; the law would go below the minimum";
      case Max -> comparison() + "; the law would go above the maximum";
      case None -> comparison();
    };
  }

  private String comparison() {
    double r = input.utilization();
    double r0 = parameters.threshold();
    String relation = r > r0 ? "above" : r < r0 ? "below" : "at";
    String compared = "utilization " + fourDecimals(r) + " is " + relation;
    return compared + " the threshold " + fourDecimals(r0) + ": " + change();
  }

  private String change() {
    long changeBytes = Math.abs(desiredBytes - input.capacityBytes());
    return switch (action) {
      case Grow -> "growing by " + changeBytes + " bytes";
      case Shrink -> "shrinking by " + changeBytes + " bytes";
      case Hold -> "holding";
    };
  }

  /** Avoids a format string, which would cost more than the rest of the decision. */
  private static String fourDecimals(double ratio) {
    long tenThousandths = Math.round(ratio * 10_000);
    String decimals = Long.toString(10_000 + tenThousandths % 10_000).substring(1);
    return tenThousandths / 10_000 + "." + decimals;
  }
}
