package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

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
 * @param hops where the slowest hundredth of the watched operations spent its time: how many at
 *     each hop; empty if none was watched
 * @param slowestHop how long the slowest watched operation took, and at which hop; empty if none
 *     was watched
 * @param leastCapacityBytes of the tier meanwhile; 0 if unknown
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
    Map<String, Integer> hops,
    String slowestHop,
    long leastCapacityBytes,
    int wrong,
    String error) {

  /** Bins of equal width on a logarithmic scale, the first one from 0.1 µs on. */
  static final int BINS_PER_DECADE = 10;

  private static final int DECADES = 9;
  private static final double FIRST_MICROS = 0.1;
  private static final double MICROS = 1e6;

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

  /** A slow operation in words. */
  static String slowestHop(double micros, String hop) {
    return Percentiles.text(micros) + " µs: " + hop;
  }

  /**
   * The passes of a cell as one result: percentiles are the means of those of the passes.
   *
   * @param passes at least one
   */
  static CellResult ofPasses(String id, List<CellResult> passes) {
    Map<String, Integer> hops = new TreeMap<>();
    int[] density = new int[DECADES * BINS_PER_DECADE];
    CellResult slowest = passes.get(0);
    for (CellResult pass : passes) {
      pass.hops().forEach((hop, count) -> hops.merge(hop, count, Integer::sum));
      for (int bin = 0; bin < pass.density().length; bin++) {
        density[bin] += pass.density()[bin];
      }
      slowest = pass.maxMicros() > slowest.maxMicros() ? pass : slowest;
    }
    return new CellResult(
        id,
        passes.stream().flatMap(pass -> pass.bytes().stream()).toList(),
        passes.stream().flatMap(pass -> pass.accessSeconds().stream()).toList(),
        passes.stream().flatMap(pass -> pass.allSeconds().stream()).toList(),
        mean(passes, CellResult::p50Micros),
        mean(passes, CellResult::p99Micros),
        slowest.maxMicros(),
        density,
        hops,
        slowest.slowestHop(),
        passes.stream()
            .mapToLong(CellResult::leastCapacityBytes)
            .filter(bytes -> bytes > 0)
            .min()
            .orElse(0),
        passes.stream().mapToInt(CellResult::wrong).sum(),
        passes.stream().map(CellResult::error).filter(Objects::nonNull).findFirst().orElse(null));
  }

  private static double mean(List<CellResult> passes, ToDoubleFunction<CellResult> figure) {
    return passes.stream().mapToDouble(figure).average().orElse(0);
  }

  /** The same with another id. */
  CellResult withId(String other) {
    return ofPasses(other, List.of(this));
  }

  /** The same with the least capacity of the tier meanwhile. */
  CellResult withLeastCapacity(long capacityBytes) {
    return new CellResult(
        id,
        bytes,
        accessSeconds,
        allSeconds,
        p50Micros,
        p99Micros,
        maxMicros,
        density,
        hops,
        slowestHop,
        capacityBytes,
        wrong,
        error);
  }

  /** The same with the times of single operations of another result, and their hops. */
  CellResult withSingles(CellResult singles) {
    return new CellResult(
        id,
        bytes,
        accessSeconds,
        allSeconds,
        singles.p50Micros(),
        singles.p99Micros(),
        singles.maxMicros(),
        singles.density(),
        singles.hops(),
        singles.slowestHop(),
        leastCapacityBytes,
        wrong + singles.wrong(),
        error);
  }

  /** The same with more blocks that were read with wrong bytes. */
  CellResult withMoreWrong(int blocks) {
    return new CellResult(
        id,
        bytes,
        accessSeconds,
        allSeconds,
        p50Micros,
        p99Micros,
        maxMicros,
        density,
        hops,
        slowestHop,
        leastCapacityBytes,
        wrong + blocks,
        error);
  }

  /** The mean time of an operation of one process; 0 if there was none. */
  double meanMicros(int blockBytes) {
    double seconds = accessSeconds.stream().mapToDouble(Double::doubleValue).sum();
    double operations = bytes.stream().mapToLong(Long::longValue).sum() / (double) blockBytes;
    return operations == 0 ? 0 : seconds * MICROS / operations;
  }

  /** The median of the repetitions' rates, in MiB/s, or 0 if it failed. */
  double rate(List<Double> seconds) {
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < seconds.size(); i++) {
      rates.add(bytes.get(i) / seconds.get(i) / (1 << 20));
    }
    double[] sorted = rates.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }
}
