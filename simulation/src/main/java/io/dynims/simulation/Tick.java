package io.dynims.simulation;

import io.dynims.core.wire.Target;
import java.math.BigDecimal;

/**
 * What one row of the trace led to.
 *
 * @param row the row
 * @param decision on the sample that had come by then, or on what the node had left out; null where
 *     the loop made none
 * @param capacityBytes in force at the end of the tick
 * @param tierBytes what the tier holds at the end of the tick
 * @param utilization the node's own at this row, before the decision; the decision may have seen an
 *     earlier one
 * @param threshold r0 of the policy
 * @param durationMillis how long the tick lasts
 * @param totals what happened from the beginning to the end of the tick
 */
public record Tick(
    TraceRow row,
    Target decision,
    long capacityBytes,
    long tierBytes,
    double utilization,
    double threshold,
    long durationMillis,
    Totals totals) {

  /**
   * What happened since the beginning of the trace.
   *
   * @param evictedBytes evicted because the capacity was below the content
   * @param filledBytes loaded into the tier
   * @param stalledMicros time for which tasks stalled, by the {@link StallModel}
   * @param sentSamples how many samples the node has sent
   */
  public record Totals(long evictedBytes, long filledBytes, long stalledMicros, long sentSamples) {}

  public static final String HEADER =
      "millis,jobBytes,totalBytes,capacityBytes,tierBytes,utilization,action,limitedBy";

  /** The tick as a line of CSV. */
  public String toCsv() {
    return row.toCsv()
        + ","
        + capacityBytes
        + ","
        + tierBytes
        + ","
        + plain(decision == null ? utilization : decision.utilization())
        + ","
        + (decision == null ? "" : decision.action())
        + ","
        + (decision == null ? "" : decision.limitedBy());
  }

  /** All of its digits, so that the decision can be computed again, and never an exponent. */
  private static String plain(double value) {
    boolean hasExponent = value != 0 && (value < 1e-3 || value >= 1e7);
    return hasExponent ? BigDecimal.valueOf(value).toPlainString() : Double.toString(value);
  }
}
