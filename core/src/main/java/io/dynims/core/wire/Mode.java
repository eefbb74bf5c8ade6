package io.dynims.core.wire;

/** How far a policy goes. */
public enum Mode {
  /** Decide, and push the capacity to the tier. */
  Enforce,
  /** Decide and show, but leave the tier as it is. */
  Recommend,
  /** Do not decide. */
  Off
}
