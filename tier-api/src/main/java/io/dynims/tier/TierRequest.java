package io.dynims.tier;

import io.dynims.core.wire.OptionalField;
import io.dynims.core.wire.Policy;

/**
 * Asks for a capacity. The capacity is absolute, so a lost or repeated request does no harm.
 *
 * @param desiredBytes the desired capacity, at least 0; the store clamps it to its bounds
 * @param sampledMillis when the memory behind the decision was sampled, epoch milliseconds
 * @param leaseMillis how long the capacity stays valid without a new request, 1 to 60,000
 * @param previousBytes the capacity that the decision was made from; null if unknown
 * @param policy the policy behind the decision, for the guard on the node; null if it is the same
 *     as before
 */
public record TierRequest(
    long desiredBytes,
    long sampledMillis,
    long leaseMillis,
    @OptionalField Long previousBytes,
    @OptionalField Policy policy) {

  public static final long MAX_LEASE_MILLIS = 60_000;

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

  /** A request under the same policy as before. */
  public TierRequest(long desiredBytes, long sampledMillis, long leaseMillis) {
    this(desiredBytes, sampledMillis, leaseMillis, null, null);
  }
}
