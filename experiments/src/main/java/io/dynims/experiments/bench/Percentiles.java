package io.dynims.experiments.bench;

import java.util.Locale;

/**
 * Durations in milliseconds; all are 0 where nothing was measured.
 *
 * @param count how many were measured
 */
public record Percentiles(double p50, double p99, double max, double mean, long count) {

  /** Of nothing. */
  public static final Percentiles NONE = new Percentiles(0, 0, 0, 0, 0);

  /** Keeps three digits after the point, microseconds, which is what was measured. */
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

  /** Three significant digits, and all digits before the point, such as 0.123, 1.23, 1234. */
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
