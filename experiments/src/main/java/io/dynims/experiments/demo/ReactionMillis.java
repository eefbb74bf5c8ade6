package io.dynims.experiments.demo;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Time from a memory sample until the resulting capacity is in force; all values are 0 if nothing
 * was measured.
 *
 * @param count the number of measurements
 */
public record ReactionMillis(long p50, long p99, long max, long count) {

  private static final long LONGEST_MILLIS = 3_600_000;

  /**
   * Of acknowledgements in their order. An acknowledgement counts if it changed the capacity in
   * force, once per sample, because a repeated push does not make the loop slower.
   */
  public static ReactionMillis of(List<Ack> acks) {
    Histogram histogram = new Histogram(LONGEST_MILLIS, 3);
    long lastSampledMillis = 0;
    long lastCapacityBytes = -1;
    for (Ack ack : acks) {
      boolean changed = lastCapacityBytes >= 0 && ack.capacityBytes() != lastCapacityBytes;
      boolean first = ack.sampledMillis() > lastSampledMillis;
      if (ack.status() == AckStatus.Applied && changed && first) {
        long millis = ack.appliedMillis() - ack.sampledMillis();
        histogram.recordValue(Math.max(0, Math.min(LONGEST_MILLIS, millis)));
      }
      lastSampledMillis = Math.max(lastSampledMillis, ack.sampledMillis());
      lastCapacityBytes = ack.capacityBytes();
    }
    return new ReactionMillis(
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getMaxValue(),
        histogram.getTotalCount());
  }
}
