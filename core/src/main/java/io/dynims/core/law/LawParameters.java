package io.dynims.core.law;

/**
 * A policy's parameters, with its bounds resolved to bytes for one node.
 *
 * @param threshold r0, the memory utilization to hold the node at, in (0, 1)
 * @param gain λ, in (0, 2]; what it does is up to the law
 * @param minBytes Umin, the least capacity, at least 0
 * @param maxBytes Umax, the greatest capacity, at least Umin
 * @param unpersistedBytes what the tier holds that exists nowhere else and is protected, at least
 *     0: the capacity does not go below it, unless Umax is less
 * @param forecast what {@link ForecastLaw} takes besides; null for any other law
 */
public record LawParameters(
    double threshold,
    double gain,
    long minBytes,
    long maxBytes,
    long unpersistedBytes,
    ForecastParameters forecast) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the parameter, its value and its range
   */
  public LawParameters {
    if (!(threshold > 0 && threshold < 1)) {
      throw new IllegalArgumentException(
          "threshold: " + threshold + " is not between 0 and 1, both exclusive");
    }
    if (!(gain > 0 && gain <= 2)) {
      throw new IllegalArgumentException(
          "gain: " + gain + " is not above 0 and at most 2; above 2 the loop is unstable");
    }
    if (minBytes < 0) {
      throw new IllegalArgumentException("minBytes: " + minBytes + " is below 0");
    }
    if (maxBytes < minBytes) {
      throw new IllegalArgumentException(
          "maxBytes: " + maxBytes + " is below minBytes, " + minBytes);
    }
    if (unpersistedBytes < 0) {
      throw new IllegalArgumentException("unpersistedBytes: " + unpersistedBytes + " is below 0");
    }
  }

  /** The parameters where the tier holds nothing that exists nowhere else. */
  public LawParameters(
      double threshold, double gain, long minBytes, long maxBytes, ForecastParameters forecast) {
    this(threshold, gain, minBytes, maxBytes, 0, forecast);
  }

  /** The parameters of a law that takes no others. */
  public LawParameters(double threshold, double gain, long minBytes, long maxBytes) {
    this(threshold, gain, minBytes, maxBytes, null);
  }

  /** The least capacity now: Umin, or what is protected. */
  public long floorBytes() {
    return Math.max(minBytes, Math.min(unpersistedBytes, maxBytes));
  }
}
