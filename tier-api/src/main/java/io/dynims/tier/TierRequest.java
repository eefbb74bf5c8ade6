package io.dynims.tier;

/**
 * Asks for a capacity. The capacity is absolute, so a lost or repeated request does no harm.
 *
 * @param desiredBytes the desired capacity, at least 0; the store clamps it to its bounds
 * @param sampledMillis when the memory behind the decision was sampled, epoch milliseconds
 * @param leaseMillis how long the capacity stays valid without a new request, 1 to 86,400,000
 */
public record TierRequest(long desiredBytes, long sampledMillis, long leaseMillis) {

  public static final long MAX_LEASE_MILLIS = 86_400_000;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field, its value and its range
   */
  public TierRequest {
    Require.notNegative("desiredBytes", desiredBytes);
    Require.notNegative("sampledMillis", sampledMillis);
    if (leaseMillis < 1 || leaseMillis > MAX_LEASE_MILLIS) {
      throw new IllegalArgumentException(
          "leaseMillis: " + leaseMillis + " is not from 1 to " + MAX_LEASE_MILLIS);
    }
  }
}
