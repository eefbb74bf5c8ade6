package io.dynims.tier;

import io.dynims.core.wire.Hint;
import io.dynims.core.wire.OptionalField;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Require;
import java.util.List;

/**
 * What an adapter needs to know right after its start.
 *
 * @param capacityBytes the desired capacity; null if none was asked for yet
 * @param maxBytes the store's maximum when it was last known; null if it never was
 * @param policy the policy that the guard follows; null if none came yet
 * @param hints what jobs of the node announced; null if nothing was announced yet
 */
public record SavedState(
    @OptionalField Long capacityBytes,
    @OptionalField Long maxBytes,
    @OptionalField Policy policy,
    @OptionalField List<Hint> hints) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field and its value
   */
  public SavedState {
    hints = Hint.list(hints);
    Require.notNegative("capacityBytes", capacityBytes);
    Require.notNegative("maxBytes", maxBytes);
  }

  /** Nothing is known. */
  public static final SavedState NONE = new SavedState(null, null, null, null);

  /** The same with another desired capacity. */
  public SavedState withCapacity(long newCapacityBytes) {
    return new SavedState(newCapacityBytes, maxBytes, policy, hints);
  }

  /** The same with the desired capacity of another one, which may be none. */
  public SavedState withCapacityOf(SavedState other) {
    return new SavedState(other.capacityBytes, maxBytes, policy, hints);
  }

  /** The same with another maximum. */
  public SavedState withMax(long newMaxBytes) {
    return new SavedState(capacityBytes, newMaxBytes, policy, hints);
  }

  /** The same with another policy. */
  public SavedState withPolicy(Policy newPolicy) {
    return new SavedState(capacityBytes, maxBytes, newPolicy, hints);
  }

  /** The same with other hints. */
  SavedState withHints(List<Hint> newHints) {
    return new SavedState(capacityBytes, maxBytes, policy, newHints);
  }
}
