package io.dynims.experiments.bench;

import io.dynims.cli.plot.LinePlot;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Collects durations, from any number of threads, with three significant digits from a microsecond
 * to an hour. Longer durations count as an hour.
 */
public final class Timings {

  private static final long LONGEST_MICROS = 3_600_000_000L;
  private static final int DIGITS = 3;
  private static final int TICKS_PER_HALF_DISTANCE = 5;

  private final Histogram micros = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);

  /** Adds a duration in nanoseconds; a negative one, from two clocks that disagree, counts as 0. */
  public void addNanos(long nanos) {
    micros.recordValue(Math.max(0, Math.min(LONGEST_MICROS, nanos / 1_000)));
  }

  /**
   * Adds a duration in milliseconds; a negative one, from two clocks that disagree, counts as 0.
   */
  public void addMillis(long millis) {
    micros.recordValue(Math.max(0, Math.min(LONGEST_MICROS / 1_000, millis)) * 1_000);
  }

  /** The percentiles so far. */
  public Percentiles millis() {
    Histogram now = soFar();
    if (now.getTotalCount() == 0) {
      return Percentiles.NONE;
    }
    return new Percentiles(
        millis(now.getValueAtPercentile(50)),
        millis(now.getValueAtPercentile(99)),
        millis(now.getMaxValue()),
        now.getMean() / 1e3,
        now.getTotalCount());
  }

  /**
   * The distribution for a plot: milliseconds over 1 / (1 − quantile), without the maximum, whose
   * quantile is 1. On a logarithmic x axis, 10 is p90 and 100 is p99.
   */
  public List<LinePlot.Point> distribution() {
    List<LinePlot.Point> points = new ArrayList<>();
    for (HistogramIterationValue each : soFar().percentiles(TICKS_PER_HALF_DISTANCE)) {
      double rest = 1 - each.getPercentileLevelIteratedTo() / 100;
      if (rest > 0) {
        points.add(new LinePlot.Point(1 / rest, millis(each.getValueIteratedTo())));
      }
    }
    return List.copyOf(points);
  }

  /** A histogram that others add to can be copied, but not iterated over. */
  private Histogram soFar() {
    return micros.copy();
  }

  /** HdrHistogram returns the upper end of a bucket, which may have many digits. */
  private static double millis(long valueMicros) {
    return valueMicros / 1e3;
  }
}
