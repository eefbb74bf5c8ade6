package io.dynims.core.law;

/**
 * What tiers hold, as far as anyone knows.
 *
 * @param usedBytes what their data occupied at the time of v, as they told, at least 0
 * @param leastBytes what it occupies if all that was decided is in force already, 0 to usedBytes
 * @param mostBytes what it may occupy where nobody measures a tier and its answers stay away, at
 *     least usedBytes
 */
public record Held(long usedBytes, long leastBytes, long mostBytes) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the amounts
   */
  public Held {
    if (leastBytes < 0 || leastBytes > usedBytes || usedBytes > mostBytes) {
      throw new IllegalArgumentException(
          "usedBytes: %d is not from leastBytes, %d, to mostBytes, %d, or that is below 0"
              .formatted(usedBytes, leastBytes, mostBytes));
    }
  }

  /** What is known exactly. */
  public static Held of(long usedBytes) {
    return new Held(usedBytes, usedBytes, usedBytes);
  }

  /** The sum of both. */
  public Held plus(Held other) {
    return new Held(
        sum(usedBytes, other.usedBytes),
        sum(leastBytes, other.leastBytes),
        sum(mostBytes, other.mostBytes));
  }

  private static long sum(long bytes, long otherBytes) {
    return bytes > Long.MAX_VALUE - otherBytes ? Long.MAX_VALUE : bytes + otherBytes;
  }

  /** The same, but at most so much. */
  public Held atMost(long bytes) {
    return new Held(
        Math.min(usedBytes, bytes), Math.min(leastBytes, bytes), Math.min(mostBytes, bytes));
  }
}
