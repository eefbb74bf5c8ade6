package io.dynims.core.wire;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a job is about to take of a node's memory, as its batch system or its user announces it. A
 * hint can only make tiers smaller, and only until it expires.
 *
 * @param owner who announces it, such as a job's id: 1 to 128 letters, digits and characters of
 *     {@code ._:@-}. A node has one hint of each owner
 * @param bytes how much the owner is about to take on this node from the start on, 1 to 2^53
 * @param startMillis from when on room is made, epoch milliseconds by the node's clock, at least 0
 * @param expiresMillis when the hint ends, taken or not, epoch milliseconds; after the start
 */
public record Hint(String owner, long bytes, long startMillis, long expiresMillis) {

  /** The most hints that a node keeps. */
  public static final int MAX_HINTS = 64;

  /** For how long a hint holds that does not say it. */
  public static final long DEFAULT_MILLIS = 600_000;

  private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9._:@-]{1,128}");

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field and its range
   */
  public Hint {
    checkOwner(owner);
    if (bytes < 1 || bytes > Require.MAX) {
      throw new IllegalArgumentException("bytes: " + bytes + " is not from 1 to " + Require.MAX);
    }
    if (startMillis < 0) {
      throw new IllegalArgumentException("startMillis: " + startMillis + " is below 0");
    }
    if (expiresMillis <= startMillis) {
      throw new IllegalArgumentException(
          "expiresMillis: " + expiresMillis + " is not after startMillis, " + startMillis);
    }
  }

  /**
   * Checks the name of an owner.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static void checkOwner(String owner) {
    if (owner == null || !OWNER.matcher(owner).matches()) {
      throw new IllegalArgumentException(
          "owner: is not 1 to 128 letters, digits and characters of ._:@-");
    }
  }

  /**
   * An unmodifiable copy of the hints that a tier reports; null for nothing.
   *
   * @throws IllegalArgumentException if they are more than {@link #MAX_HINTS}
   */
  public static List<Hint> list(List<Hint> hints) {
    if (hints != null && hints.size() > MAX_HINTS) {
      throw new IllegalArgumentException("hints: are more than " + MAX_HINTS);
    }
    return hints == null ? null : List.copyOf(hints);
  }

  /** Whether room is made for it at a time. */
  public boolean isActive(long nowMillis) {
    return startMillis <= nowMillis && nowMillis < expiresMillis;
  }
}
