package io.dynims.experiments.bench.resize;

import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Timings;
import io.dynims.experiments.bench.resize.FullTier.Shrink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The measurements with one slice size. */
final class SliceResult {

  /** The figures of the JSON object. */
  record Figures(
      long sliceBytes,
      double freedBytesPerSecond,
      double limitBytesPerSecond,
      double ratio,
      Map<Integer, Percentiles> shrinkMillis,
      Reads readMillis,
      long readsWrong) {}

  /** Times of reads without and with resizes. */
  record Reads(Percentiles rest, Percentiles resizing) {}

  private final long sliceBytes;
  private final List<Shrink> whole = new ArrayList<>();
  private final List<Shrink> limit = new ArrayList<>();
  private final Map<Integer, Timings> shrinks = new TreeMap<>();
  private final Timings rest = new Timings();
  private final Timings resizing = new Timings();
  private long readsWrong;

  SliceResult(long sliceBytes) {
    this.sliceBytes = sliceBytes;
  }

  /** Adds a shrink by a percentage of the tier. */
  void add(int percent, Shrink shrink) {
    shrinks.computeIfAbsent(percent, p -> new Timings()).addNanos(shrink.nanos());
    if (percent == 100) {
      whole.add(shrink);
    }
  }

  void addLimit(Shrink shrink) {
    limit.add(shrink);
  }

  void addWrong(long reads) {
    readsWrong += reads;
  }

  Timings rest() {
    return rest;
  }

  Timings resizing() {
    return resizing;
  }

  Figures figures() {
    double freed = medianBytesPerSecond(whole);
    double possible = medianBytesPerSecond(limit);
    Map<Integer, Percentiles> millis = new TreeMap<>();
    shrinks.forEach((percent, timings) -> millis.put(percent, timings.millis()));
    return new Figures(
        sliceBytes,
        Math.rint(freed),
        Math.rint(possible),
        possible > 0 ? Math.rint(freed / possible * 1e3) / 1e3 : 0,
        millis,
        new Reads(rest.millis(), resizing.millis()),
        readsWrong);
  }

  static double medianBytesPerSecond(List<Shrink> shrinks) {
    double[] rates = shrinks.stream().mapToDouble(Shrink::bytesPerSecond).sorted().toArray();
    int half = rates.length / 2;
    if (rates.length == 0) {
      return 0;
    }
    return rates.length % 2 == 1 ? rates[half] : (rates[half - 1] + rates[half]) / 2;
  }
}
