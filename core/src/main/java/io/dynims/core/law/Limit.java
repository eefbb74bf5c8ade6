package io.dynims.core.law;

/** What kept a decision from being the law's own result. */
public enum Limit {
  /** Nothing: the law's result was taken as it is. */
  None,
  /** The lower bound Umin. */
  Min,
  /** The upper bound Umax. */
  Max,
  /** The node's metrics are too old to act on. */
  Stale
}
