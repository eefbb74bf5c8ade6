package io.dynims.tier;

import io.dynims.core.wire.OptionalField;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Require;
import java.util.regex.Pattern;

/**
 * Asks for a capacity. The capacity is absolute, so a lost or repeated request does no harm.
 *
 * @param desiredBytes the desired capacity, at least 0; the store clamps it to its bounds
 * @param sampledMillis when the memory behind the decision was sampled, epoch milliseconds
 * @param leaseMillis how long the capacity stays valid without a new request, 1 to 60,000
 * @param previousBytes the capacity that the decision was made from; null if unknown
 * @param policy the policy behind the decision, for the guard on the node; null if it is the same
 *     as before
 * @param controller which of several controllers asks; null if there is one only
 * @param term since when it has served the tier: each controller's term is greater than that of the
 *     one before; null if there is one only
 */
public record TierRequest(
    long desiredBytes,
    long sampledMillis,
    long leaseMillis,
    @OptionalField Long previousBytes,
    @OptionalField Policy policy,
    @OptionalField String controller,
    @OptionalField Long term) {

  public static final long MAX_LEASE_MILLIS = 60_000;

  /** Nothing that could forge a line of an adapter's log. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,253}");

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
    if (controller != null && !NAME.matcher(controller).matches()) {
      throw new IllegalArgumentException(
          "controller: is not a name of letters, digits, '.', '_' and '-'");
    }
  }

  /** A request of the only controller. */
  public TierRequest(
      long desiredBytes, long sampledMillis, long leaseMillis, Long previousBytes, Policy policy) {
    this(desiredBytes, sampledMillis, leaseMillis, previousBytes, policy, null, null);
  }

  /** A request under the same policy as before. */
  public TierRequest(long desiredBytes, long sampledMillis, long leaseMillis) {
    this(desiredBytes, sampledMillis, leaseMillis, null, null);
  }
}
