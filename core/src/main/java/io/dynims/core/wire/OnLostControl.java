package io.dynims.core.wire;

/** What the guard on a node does while no controller has the tier. */
public enum OnLostControl {
  /** It follows the policy's whole law. */
  Follow,
  /** It follows the law where the law shrinks the tier. */
  ShrinkOnly,
  /** It leaves the capacity as it is. */
  Keep,
  /** It shrinks the tier to the policy's fallback capacity, and leaves it there. */
  Fallback
}
