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
  Stale,

  /** The tier has not told lately, or since the loop began, which capacity is in force. */
  Unconfirmed,

  /** What the tier holds exists nowhere else. */
  Unpersisted,

  /** The guard on the node brakes: utilization is critical. */
  Guard,

  /** The change is too small to make. */
  DeadBand,

  /** There has not been room for long enough to grow. */
  Settling,

  /** The capacity is as far above what the tier holds as it may be. */
  HeadStart,

  /** The largest change in one decision. */
  MaxStep,

  /** Tasks wait for memory, so the capacity does not grow. */
  Pressure
}
