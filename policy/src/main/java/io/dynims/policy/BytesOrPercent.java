package io.dynims.policy;

import io.dynims.core.config.Quantities;

/**
 * A capacity as written: bytes, or a part of the node's memory.
 *
 * @param bytes the bytes; 0 where a ratio is given
 * @param ratio the part of the node's memory, in [0, 1]; negative where bytes are given
 */
record BytesOrPercent(long bytes, double ratio) {

  static final BytesOrPercent NOTHING = new BytesOrPercent(0, -1);

  /**
   * Reads {@code 60Gi} or {@code 25%}.
   *
   * @throws IllegalArgumentException when the text is neither
   */
  static BytesOrPercent parse(String text) {
    return Quantities.isPercentage(text)
        ? new BytesOrPercent(0, Quantities.ratio(text))
        : new BytesOrPercent(Quantities.bytes(text), -1);
  }

  boolean needsMemoryTotal() {
    return ratio >= 0;
  }

  /** The bytes on a node with this much memory; the total counts only where it is needed. */
  long of(long memoryTotalBytes) {
    return needsMemoryTotal() ? (long) (ratio * memoryTotalBytes) : bytes;
  }
}
