package io.dynims.cli.simulate;

import io.dynims.core.config.Quantities;

/**
 * How much memory a data set would occupy if the tier had no bound.
 *
 * @param bytes in bytes; null where a ratio is given
 * @param ratio as a part of M, in [0, 1]; null where bytes are given
 */
public record Demand(Long bytes, Double ratio) {

  /** More than any capacity: the tier always has data to fill up with. */
  public static final Demand UNBOUNDED = new Demand(Long.MAX_VALUE, null);

  /**
   * Reads {@code 60Gi} or {@code 25%}.
   *
   * @throws IllegalArgumentException when the text is neither
   */
  public static Demand parse(String text) {
    return Quantities.isPercentage(text)
        ? new Demand(null, Quantities.ratio(text))
        : new Demand(Quantities.bytes(text), null);
  }

  /** In bytes, where M is so much. */
  long of(long memoryTotalBytes) {
    return bytes != null ? bytes : (long) (ratio * memoryTotalBytes);
  }
}
