package io.dynims.experiments.bench.tier;

import java.util.Arrays;
import java.util.List;

/**
 * What was measured of a cell.
 *
 * @param id of the cell
 * @param bytes what all processes read or wrote in each repetition
 * @param accessSeconds the slowest process's time for that, in each repetition
 * @param allSeconds the same with opening and closing the file
 * @param p50Micros the median time of an operation, over all processes and repetitions
 * @param p99Micros the time that one of a hundred exceeds
 * @param maxMicros the longest
 * @param density how many operations took so long, see {@link #BINS_PER_DECADE}
 * @param wrong blocks read with wrong bytes
 * @param error what the interface cannot do; null if nothing failed
 */
record CellResult(
    String id,
    List<Long> bytes,
    List<Double> accessSeconds,
    List<Double> allSeconds,
    double p50Micros,
    double p99Micros,
    double maxMicros,
    int[] density,
    int wrong,
    String error) {

  /** Bins of equal width on a logarithmic scale, the first one from 0.1 µs on. */
  static final int BINS_PER_DECADE = 10;

  private static final int DECADES = 9;
  private static final double FIRST_MICROS = 0.1;

  /** The times of operations, in any order. */
  static int[] density(float[] micros) {
    int[] bins = new int[DECADES * BINS_PER_DECADE];
    for (float each : micros) {
      double bin = Math.log10(Math.max(each, FIRST_MICROS) / FIRST_MICROS) * BINS_PER_DECADE;
      bins[Math.min(bins.length - 1, (int) bin)]++;
    }
    return bins;
  }

  /** The middle of a bin. */
  static double micros(int bin) {
    return FIRST_MICROS * Math.pow(10, (bin + 0.5) / BINS_PER_DECADE);
  }

  static double percentile(float[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.round(share * (sorted.length - 1))];
  }

  /** The median of the repetitions' rates, in MiB/s, or 0 if it failed. */
  double rate(List<Double> seconds) {
    double[] rates = new double[seconds.size()];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = bytes.get(i) / seconds.get(i) / (1 << 20);
    }
    Arrays.sort(rates);
    return rates.length == 0 ? 0 : rates[rates.length / 2];
  }
}
