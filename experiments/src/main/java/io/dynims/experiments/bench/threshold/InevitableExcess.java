package io.dynims.experiments.bench.threshold;

import io.dynims.simulation.Rates;
import io.dynims.simulation.TraceRow;
import java.util.List;

/**
 * By how much a node passes M on a trace although the law is ideal, because it cannot know the
 * future and the store frees memory at a limited rate. The ideal law uses memory up to r0, and its
 * decision on a row is in force one tick later:
 *
 * <pre>
 *   E      = max over i of  max(0, J[i] + H[i] − M)
 *   H[0]   = c(J[0])                             c(x) = min(Umax, max(0, r0·M − x))
 *   H[i+1] = H[i] towards c(J[i−1]), by at most F · T down or G · T up        J[−1] = J[0]
 *
 *   J  job memory     r0  threshold     F, G  free and fill rate     T  the tick
 * </pre>
 *
 * H is all that r0, the samples known by then and the rates allow. So no law that uses memory up to
 * r0 and does not know the future can pass M by less, unless it left memory unused before.
 */
final class InevitableExcess {

  private InevitableExcess() {}

  /**
   * E in bytes.
   *
   * @param trace at least one row, of a node of constant memory
   * @param maxBytes Umax
   * @param threshold r0, in (0, 1]
   */
  static long bytes(List<TraceRow> trace, Rates rates, long maxBytes, double threshold) {
    long memoryBytes = trace.get(0).totalBytes();
    double setPointBytes = threshold * memoryBytes;
    double heldBytes = clamp(setPointBytes - trace.get(0).jobBytes(), maxBytes);
    double excessBytes = 0;
    for (int i = 0; i < trace.size(); i++) {
      if (i > 0) {
        long knownBytes = trace.get(Math.max(0, i - 2)).jobBytes();
        double seconds = (trace.get(i).millis() - trace.get(i - 1).millis()) / 1e3;
        heldBytes = moved(heldBytes, clamp(setPointBytes - knownBytes, maxBytes), rates, seconds);
      }
      excessBytes = Math.max(excessBytes, trace.get(i).jobBytes() + heldBytes - memoryBytes);
    }
    return Math.round(excessBytes);
  }

  private static double moved(double heldBytes, double goalBytes, Rates rates, double seconds) {
    return heldBytes > goalBytes
        ? Math.max(goalBytes, heldBytes - rates.freeBytesPerSecond() * seconds)
        : Math.min(goalBytes, heldBytes + rates.fillBytesPerSecond() * seconds);
  }

  private static double clamp(double bytes, long maxBytes) {
    return Math.min((double) maxBytes, Math.max(0, bytes));
  }
}
