package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.quantity.Quantities;
import io.dynims.core.wire.Target;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The requested part of a history.
 *
 * @param count the maximum number of decisions; used only if {@code spanMillis} is 0
 * @param spanMillis all decisions within this time until now
 */
record HistoryRange(int count, long spanMillis) {

  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  /**
   * Parses a number of decisions such as {@code 100}, or a time such as {@code 5m}.
   *
   * @throws IllegalArgumentException if the text is neither, or out of bounds
   */
  static HistoryRange parse(String text, int maxCount) {
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
      // Reported below, with the permitted values.
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
    return spanMillis == 0
        ? fleet.newestDecisions(tier, count)
        : fleet.decisionsOfLast(tier, spanMillis);
  }
}
