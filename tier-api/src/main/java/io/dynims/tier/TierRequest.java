package io.dynims.tier;

/**
 * Asks for a capacity; absolute, so that a lost or repeated request does no harm.
 *
 * @param desiredBytes the capacity wanted, at least 0; more than the store has is cut to its
 *     maximum, less than its minimum raised to it
 * @param sampledMillis when the memory behind the decision was sampled, epoch milliseconds
 * @param leaseMillis how long the request speaks for a living controller, 1 to 86,400,000
 */
public record TierRequest(long desiredBytes, long sampledMillis, long leaseMillis) {

  public static final long MAX_LEASE_MILLIS = 86_400_000;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field, its value and its range
   */
  public TierRequest {
    if (desiredBytes < 0) {
      throw new IllegalArgumentException("desiredBytes: " + desiredBytes + " is below 0");
    }
    if (sampledMillis < 0) {
      throw new IllegalArgumentException("sampledMillis: " + sampledMillis + " is below 0");
    }
    if (leaseMillis < 1 || leaseMillis > MAX_LEASE_MILLIS) {
      throw new IllegalArgumentException(
          "leaseMillis: " + leaseMillis + " is not from 1 to " + MAX_LEASE_MILLIS);
    }
  }
}
