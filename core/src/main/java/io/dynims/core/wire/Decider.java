package io.dynims.core.wire;

/** Who made a decision. */
public enum Decider {
  /** The streaming job. */
  Job,
  /** The guard on the node. */
  Guard
}
