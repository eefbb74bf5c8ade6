package io.dynims.controller.fleet;

import java.util.List;

/**
 * One tier's last hour in a few numbers.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param desiredBytes the smallest capacity decided in each minute, oldest first; null where none
 *     was decided
 */
public record TierTrend(String node, String tier, List<Long> desiredBytes) {

  /** The time between two values. */
  static final long INTERVAL_MILLIS = 60_000;

  /** How many values there are. */
  static final int VALUES = (int) (Downsampler.SPAN_MILLIS / INTERVAL_MILLIS);

  /** When the first value's minute starts. */
  static long startMillis(long nowMillis) {
    return (Math.floorDiv(nowMillis, INTERVAL_MILLIS) - VALUES + 1) * INTERVAL_MILLIS;
  }
}
