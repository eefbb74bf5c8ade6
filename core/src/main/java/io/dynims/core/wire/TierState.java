package io.dynims.core.wire;

/** The state of one tier, as REST, the page and Kubernetes show it. */
public enum TierState {
  /** The controller waits for the adapter's first answer or the job's first decision. */
  Pending,
  /** The last decision is in force. */
  Enforcing,
  /** Decisions are made and shown; the tier stays as it is. */
  Recommending,
  /** The policy's mode is {@code Off}. */
  Off,
  /** The tier could not give all that was asked; another capacity is in force. */
  Partial,
  /** No controller has the tier, or the controller was too slow: the guard on the node decides. */
  Guarded,
  /** The node's metrics are too old to act on. */
  Stale,
  /** The adapter did not answer the last request, or refused it. */
  Unreachable
}
