package io.dynims.core.law;

/** The laws that a policy can name. */
public enum LawType {

  /** {@link FeedbackLaw}, the paper's equation 1. */
  Feedback(2, 0.5),

  /** {@link ForecastLaw}, which aims at what the jobs leave free. */
  Forecast(1, 0.75);

  /** The law of a policy that names none. */
  public static final LawType DEFAULT = Forecast;

  private final double maxGain;
  private final double defaultGain;

  LawType(double maxGain, double defaultGain) {
    this.maxGain = maxGain;
    this.defaultGain = defaultGain;
  }

  /** The law's own parameters where a policy names none; null if it has none. */
  public ForecastParameters defaults(long intervalMillis) {
    return this == Forecast ? ForecastParameters.defaults(intervalMillis) : null;
  }

  /** The largest gain at which the law is stable. */
  public double maxGain() {
    return maxGain;
  }

  /** The gain where a policy names none. */
  public double defaultGain() {
    return defaultGain;
  }

  /**
   * Checks that parameters suit the law.
   *
   * @throws IllegalArgumentException naming the parameter, its value and its range
   */
  public void check(double gain, ForecastParameters forecast) {
    if (!(gain > 0 && gain <= maxGain)) {
      throw new IllegalArgumentException(
          "gain: "
              + gain
              + " is not above 0 and at most "
              + (int) maxGain
              + "; above it "
              + this
              + " is unstable");
    }
    if ((forecast != null) != (this == Forecast)) {
      throw new IllegalArgumentException(
          "forecast: " + (forecast == null ? "is missing" : "belongs to Forecast, not " + this));
    }
  }
}
