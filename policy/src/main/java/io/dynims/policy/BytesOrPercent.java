package io.dynims.policy;

import io.dynims.core.config.Quantities;

/**
 * A capacity as written: bytes, or a part of the memory that the node may use.
 *
 * @param bytes the bytes; null where a percentage is given
 * @param ratio the part of the memory, in [0, 1]; null where bytes are given
 */
record BytesOrPercent(Long bytes, Double ratio) {

  static final BytesOrPercent NOTHING = new BytesOrPercent(0L, null);

  /**
   * Reads {@code 60Gi} or {@code 25%}.
   *
   * @throws IllegalArgumentException when the text is neither
   */
  static BytesOrPercent parse(String text) {
    return Quantities.isPercentage(text)
        ? new BytesOrPercent(null, Quantities.ratio(text))
        : new BytesOrPercent(Quantities.bytes(text), null);
  }

  boolean isPercent() {
    return ratio != null;
  }

  /** The bytes where the node may use this much memory; it counts only for a percentage. */
  long of(long memoryTotalBytes) {
    return isPercent() ? (long) (ratio * memoryTotalBytes) : bytes;
  }
}
