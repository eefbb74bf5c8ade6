package io.dynims.core.loop;

/** Why a memory reading leads to no decision. */
public enum Refusal {
  /** Older than the last one accepted. */
  OutOfOrder,
  /** Of the same instant as the last one accepted. */
  Repeated,
  /** Ahead of the loop's clock by more than its tolerance. */
  Future,
  /** Older than the policy allows to act on. */
  Stale,
  /** Some of the stock plugin's parts never came. */
  Incomplete,
  /** From the stock plugin of a node that runs the shipped reader too. */
  Superseded,
  /** Of a node that may send nothing for so long that its metrics would be stale. */
  SlowHeartbeat,
  /** Of a node that no policy names. */
  NoPolicy
}
