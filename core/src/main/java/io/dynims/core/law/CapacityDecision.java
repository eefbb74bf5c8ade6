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
 * @param forecast how {@link ForecastLaw} came to it; null where another law or none decided
 * @param share its part of a decision for several tiers; null where it was decided alone
 */
public record CapacityDecision(
    Action action,
    long desiredBytes,
    Limit limitedBy,
    double stepBytes,
    LawInput input,
    LawParameters parameters,
    Forecast forecast,
    Share share) {

  /** The step of a law that foresees nothing, held to the bounds. */
  public static CapacityDecision bounded(
      LawInput input, LawParameters parameters, double stepBytes) {
    return bounded(input, parameters, stepBytes, Limit.None, null);
  }

  /**
   * A law's step, held to the bounds.
   *
   * @param limit what limited the step
   * @param forecast how the law came to it, or null
   */
  static CapacityDecision bounded(
      LawInput input, LawParameters parameters, double stepBytes, Limit limit, Forecast forecast) {
    double wanted = input.capacityBytes() - stepBytes;
    long desiredBytes = Math.round(wanted);
    if (wanted > parameters.maxBytes()) {
      desiredBytes = parameters.maxBytes();
      limit = Limit.Max;
    } else if (wanted < parameters.floorBytes()) {
      desiredBytes = parameters.floorBytes();
      limit = desiredBytes > parameters.minBytes() ? Limit.Unpersisted : Limit.Min;
    }
    return of(input, parameters, stepBytes, desiredBytes, limit, forecast);
  }

  /** Holds the capacity last known; the limit says why the law was not asked. */
  public static CapacityDecision held(LawInput input, LawParameters parameters, Limit limit) {
    return of(input, parameters, 0, input.capacityBytes(), limit, null);
  }

  /** A capacity that the guard on the node decided, without the policy's law. */
  public static CapacityDecision guarded(
      LawInput input, LawParameters parameters, long desiredBytes) {
    double stepBytes = (double) input.capacityBytes() - desiredBytes;
    return of(input, parameters, stepBytes, desiredBytes, Limit.Guard, null);
  }

  private static CapacityDecision of(
      LawInput input,
      LawParameters parameters,
      double stepBytes,
      long desiredBytes,
      Limit limit,
      Forecast forecast) {
    Action action = action(input, desiredBytes);
    return new CapacityDecision(
        action, desiredBytes, limit, stepBytes, input, parameters, forecast, null);
  }

  /**
   * A tier's part of a decision for all tiers of its node.
   *
   * @param input what is known of the tier
   * @param parameters the tier's own bounds
   * @param stepBytes its share of the step, before its bounds
   * @param desiredBytes the capacity that leaves it within them
   * @param limit the bound that it reached; {@code None} if none did
   * @param whole the decision for all
   */
  public static CapacityDecision shared(
      LawInput input,
      LawParameters parameters,
      double stepBytes,
      long desiredBytes,
      Limit limit,
      CapacityDecision whole,
      Share share) {
    return new CapacityDecision(
        action(input, desiredBytes),
        desiredBytes,
        limit == Limit.None ? whole.limitedBy : limit,
        stepBytes,
        input,
        parameters,
        whole.forecast,
        share);
  }

  private static Action action(LawInput input, long desiredBytes) {
    int order = Long.compare(desiredBytes, input.capacityBytes());
    return order > 0 ? Action.Grow : order < 0 ? Action.Shrink : Action.Hold;
  }

  /** Explains the decision in one sentence; built only when called. */
  public String reason() {
    return share == null ? ownReason() : ownReason() + share.reason();
  }

  private String ownReason() {
    return switch (limitedBy) {
      case None, Guard -> comparison();
      case Min -> comparison() + "; the law would go below the minimum";
      case Max -> comparison() + "; the law would go above the maximum";
      case Stale -> "no fresh metrics: the capacity stays as it is";
      case Unconfirmed ->
          "the tier has not told lately which capacity is in force: the capacity stays as it is";
      case Unpersisted -> comparison() + "; what is left exists nowhere else";
      case DeadBand -> comparison() + "; the change is within the dead band";
      case Settling -> comparison() + "; there has not been room for long enough to grow";
      case HeadStart -> comparison() + "; the tier does not use more";
      case MaxStep -> comparison() + ", the most in one step";
      case Pressure -> comparison() + "; tasks wait for memory, so it does not grow";
    };
  }

  private String comparison() {
    double r = input.utilization();
    double r0 = parameters.threshold();
    String relation = r > r0 ? "above" : r < r0 ? "below" : "at";
    String compared = "utilization " + fourDecimals(r) + " is " + relation;
    String ahead = forecast == null ? "" : ", jobs hold " + jobs();
    return compared + " the threshold " + fourDecimals(r0) + ahead + hinted() + ": " + change();
  }

  private String hinted() {
    return input.hintedBytes() == 0 ? "" : ", hints announce " + input.hintedBytes() + " bytes";
  }

  private String jobs() {
    long risesBytes = forecast.jobAheadBytes() - forecast.jobBytes() - input.hintedBytes();
    return forecast.jobBytes()
        + " bytes"
        + (risesBytes > 0 ? " and may soon hold " + risesBytes + " more" : "");
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
