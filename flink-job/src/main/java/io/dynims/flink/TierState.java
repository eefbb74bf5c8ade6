package io.dynims.flink;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;

/** What is known of one tier. A POJO by Flink's rules, so that its state can grow fields. */
public final class TierState {

  /** Null until one comes. */
  public Policy policy;

  /** The latest; null until one comes. */
  public Ack ack;

  /** When the tier told the capacity that the ack names; null for not known. */
  public Long acknowledgedMillis;

  /** When the next decision is due, by the sample's time. */
  public long dueMillis;

  /** Takes an ack as the latest. One of a failure repeats what the tier told earlier. */
  void take(Ack latest) {
    ack = latest;
    if (latest.status() != AckStatus.Failed) {
      acknowledgedMillis = latest.appliedMillis();
    }
  }

  /** Whether the policy asks for decisions. */
  boolean isDecided() {
    return policy != null && policy.mode() != Mode.Off;
  }

  /**
   * Whether a sample of this time is to be decided; if so, the next turn is an interval later. A
   * sample may come a quarter of the interval early, so that jitter makes none be skipped, while
   * the mean time between turns stays the interval. A due time that is out of reach, after a clock
   * was set back or the interval was shortened, does not count.
   */
  boolean takeTurn(long sampledMillis) {
    long slack = policy.intervalMillis() / 4;
    long ahead = dueMillis - sampledMillis;
    if (ahead > slack && ahead <= slack + policy.intervalMillis()) {
      return false;
    }
    long base = ahead > slack ? sampledMillis : Math.max(dueMillis, sampledMillis);
    dueMillis = base + policy.intervalMillis();
    return true;
  }
}
