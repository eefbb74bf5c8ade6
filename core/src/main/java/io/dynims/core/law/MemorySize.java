package io.dynims.core.law;

/**
 * An amount of memory: bytes, or a part of M, the memory that the node may use.
 *
 * @param bytes the bytes, at least 0; null where {@code ratio} is given
 * @param ratio the part of M, in [0, 1]; null where {@code bytes} is given
 */
public record MemorySize(Long bytes, Double ratio) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  public MemorySize {
    if ((bytes == null) == (ratio == null)) {
      throw new IllegalArgumentException("bytes: exactly one of bytes and ratio is needed");
    }
    if (bytes != null && bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " is below 0");
    }
    if (ratio != null && !(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException("ratio: " + ratio + " is not from 0 to 1");
    }
  }

  /** So many bytes. */
  public static MemorySize ofBytes(long bytes) {
    return new MemorySize(bytes, null);
  }

  /** This part of M. */
  public static MemorySize ofRatio(double ratio) {
    return new MemorySize(null, ratio);
  }

  /** The bytes where M is so much. */
  public long of(long memoryTotalBytes) {
    return bytes != null ? bytes : (long) (ratio * memoryTotalBytes);
  }

  /** Whether it is all of M, whatever M is. */
  boolean isAll() {
    return ratio != null && ratio == 1;
  }

  boolean isZero() {
    return bytes != null ? bytes == 0 : ratio == 0;
  }
}
