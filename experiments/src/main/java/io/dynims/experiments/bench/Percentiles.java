package io.dynims.experiments.bench;

import java.util.Locale;

/**
 * Durations in milliseconds; all are 0 if nothing was measured.
 *
 * @param count the number of measurements
 */
public record Percentiles(double p50, double p99, double max, double mean, long count) {

  /** Nothing was measured. */
  public static final Percentiles NONE = new Percentiles(0, 0, 0, 0, 0);

  /** Rounds to microseconds, the resolution of the measurement. */
  public Percentiles {
    p50 = rounded(p50);
    p99 = rounded(p99);
    max = rounded(max);
    mean = rounded(mean);
  }

  /** For a table: p50, p99, max. */
  public String text() {
    return text(p50) + " / " + text(p99) + " / " + text(max);
  }

  /**
   * Three significant digits and all digits before the decimal point, such as 0.123, 1.23, 1234.
   */
  public static String text(double value) {
    double size = Math.abs(value);
    if (size >= 100 || size == 0) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
