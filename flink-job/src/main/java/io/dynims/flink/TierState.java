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
   * Whether a sample of this time is to be decided; if so, the next turn is an interval after this
   * one was due, also when the sample was late: the one that follows it is on time again. A sample
   * may come a quarter of the interval early, so that jitter makes none be skipped; no two turns
   * are closer than half an interval, and their mean distance stays the interval. A due time that
   * is out of reach does not count: after a silence, or when a clock was set back or the interval
   * was shortened.
   */
  boolean takeTurn(long sampledMillis) {
    long interval = policy.intervalMillis();
    long slack = interval / 4;
    long ahead = dueMillis - sampledMillis;
    if (ahead > slack && ahead <= slack + interval) {
      return false;
    }
    boolean outOfReach = ahead > slack || ahead <= -interval;
    dueMillis =
        outOfReach
            ? sampledMillis + interval
            : Math.max(dueMillis + interval, sampledMillis + interval - slack);
    return true;
  }
}
