package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.config.Quantities;
import io.dynims.core.wire.Target;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How much of a history is asked for.
 *
 * @param count the most decisions; counts only where {@code spanMillis} is 0
 * @param spanMillis all decisions of this time until now
 */
record HistoryRange(int count, long spanMillis) {

  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  /**
   * Reads a number of decisions such as {@code 100}, or a time such as {@code 5m}.
   *
   * @throws IllegalArgumentException when it is neither, or out of bounds
   */
  static HistoryRange read(String text, int maxCount) {
    try {
      if (DIGITS.matcher(text).matches()) {
        int count = Integer.parseInt(text);
        if (count >= 1 && count <= maxCount) {
          return new HistoryRange(count, 0);
        }
      } else {
        long spanMillis = Quantities.millis(text);
        if (spanMillis >= 1 && spanMillis <= Fleet.HISTORY_MILLIS) {
          return new HistoryRange(0, spanMillis);
        }
      }
    } catch (IllegalArgumentException e) {
      // Told below, with what it can be.
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is neither a whole number from 1 to "
            + maxCount
            + " nor a time from 1ms to 1h, such as 90s or 5m");
  }

  /** The decisions, newest first. */
  List<Target> of(Fleet fleet, Tier tier) {
    return spanMillis == 0 ? fleet.newest(tier, count) : fleet.ofLast(tier, spanMillis);
  }
}
