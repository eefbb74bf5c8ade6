package io.dynims.experiments.bench.threshold;

import io.dynims.cli.simulate.Rates;
import io.dynims.cli.simulate.TraceRow;
import java.util.Arrays;
import java.util.List;

/**
 * By how much a node passes M on a trace because the store frees slower than the load grows,
 * whatever the law. It is what passes M with an all-knowing tier: one that fills all of M, knows
 * the peak of a rise as soon as it is visible, and from the next tick on frees at the full rate for
 * it:
 *
 * <pre>
 *   E      = max over i of  max(0, J[i] + h[i] − M)
 *   h[0]   = c(J[0])                             c(x) = min(Umax, max(0, M − x))
 *   h[i+1] = h[i] towards c(P[i−1]), by at most F · T down or G · T up
 *
 *   J  job memory                    P[i]  the peak of the rise that row i is part of, else J[i]
 *   F, G  free and fill rate         T     the tick
 * </pre>
 *
 * A rise is visible from the row that is 1 % of M above the lowest one before it, until a row that
 * is 1 % of M below its peak. A tier that leaves a part of M free before a rise may do better.
 */
final class InevitableExcess {

  private static final double VISIBLE = 0.01;

  private InevitableExcess() {}

  /**
   * E in bytes.
   *
   * @param trace at least two rows of a node of constant memory
   * @param maxBytes Umax
   */
  static long bytes(List<TraceRow> trace, Rates rates, long maxBytes) {
    long memoryBytes = trace.get(0).totalBytes();
    long[] peaks = peaks(trace, VISIBLE * memoryBytes);
    double held = capacity(memoryBytes - trace.get(0).jobBytes(), maxBytes);
    double excess = 0;
    for (int i = 0; i + 1 < trace.size(); i++) {
      excess = Math.max(excess, trace.get(i).jobBytes() + held - memoryBytes);
      double seconds = (trace.get(i + 1).millis() - trace.get(i).millis()) / 1e3;
      double goal = capacity(memoryBytes - peaks[Math.max(0, i - 1)], maxBytes);
      held =
          held > goal
              ? Math.max(goal, held - rates.freeBytesPerSecond() * seconds)
              : Math.min(goal, held + rates.fillBytesPerSecond() * seconds);
    }
    return Math.round(
        Math.max(excess, trace.get(trace.size() - 1).jobBytes() + held - memoryBytes));
  }

  private static long capacity(long freeBytes, long maxBytes) {
    return Math.min(maxBytes, Math.max(0, freeBytes));
  }

  /** The peak of the rise that each row is part of; its own job memory outside of rises. */
  private static long[] peaks(List<TraceRow> trace, double visibleBytes) {
    long[] peaks = trace.stream().mapToLong(TraceRow::jobBytes).toArray();
    long low = peaks[0];
    int begin = -1;
    long high = 0;
    for (int i = 0; i < trace.size(); i++) {
      long job = trace.get(i).jobBytes();
      if (begin >= 0 && job < high - visibleBytes) {
        Arrays.fill(peaks, begin, i, high);
        begin = -1;
        low = job;
      } else if (begin < 0 && job > low + visibleBytes) {
        begin = i;
        high = job;
      }
      high = Math.max(high, job);
      low = Math.min(low, job);
    }
    if (begin >= 0) {
      Arrays.fill(peaks, begin, trace.size(), high);
    }
    return peaks;
  }
}
