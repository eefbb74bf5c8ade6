package io.dynims.tier;

/** What the guard on a node does at present. */
public enum GuardState {
  /** It watches; a controller has the tier. */
  Standby,
  /** It shrank the tier a moment ago although a controller has it: utilization was critical. */
  Braking,
  /** No controller has the tier: it decides as the policy says. */
  Deciding
}
