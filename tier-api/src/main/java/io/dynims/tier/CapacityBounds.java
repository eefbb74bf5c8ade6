package io.dynims.tier;

import io.dynims.core.wire.Require;

/**
 * The range of capacities that a store accepts.
 *
 * @param minBytes the smallest capacity, at least 0
 * @param maxBytes the largest capacity, at least {@code minBytes}
 */
public record CapacityBounds(long minBytes, long maxBytes) {

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException naming the field and its value
   */
  public CapacityBounds {
    Require.notNegative("minBytes", minBytes);
    Require.notNegative("maxBytes", maxBytes);
    if (minBytes > maxBytes) {
      throw new IllegalArgumentException(
          "minBytes: " + minBytes + " is above maxBytes, " + maxBytes);
    }
  }

  /** The capacity within the bounds that is closest to the desired one. */
  public long clamp(long desiredBytes) {
    return Math.max(minBytes, Math.min(maxBytes, desiredBytes));
  }
}
