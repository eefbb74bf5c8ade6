package io.dynims.core.wire;

/** How a push ended. */
public enum AckStatus {
  /** The capacity asked for is in force. */
  Applied,
  /** Another capacity is in force: the tier could not give all that was asked. */
  Partial,
  /** The tier could not be reached, or refused; what is in force is unknown. */
  Failed
}
