package io.dynims.core.loop;

import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawState;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;

/** Everything the loop knows of one tier; a POJO by Flink's rules, as {@link NodeLoopState}. */
public final class TierLoopState {

  /** Null until one comes. */
  public Policy policy;

  /** The latest; null until one comes. */
  public Ack ack;

  /** When the ack came, by the loop's clock. */
  public long ackedMillis;

  /** When the tier reported the capacity that the ack names; null if unknown. */
  public Long acknowledgedMillis;

  /** When the next decision is due, by the sample's time. */
  public long dueMillis;

  /** What the law remembers of the tier. */
  public LawState lawState = LawState.NONE;

  /** Keeps the latest ack. An ack of a failure repeats what the tier reported earlier. */
  void accept(Ack latest, long nowMillis) {
    ack = latest;
    ackedMillis = nowMillis;
    if (latest.status() != AckStatus.Failed) {
      acknowledgedMillis = latest.appliedMillis();
    }
  }

  /** Whether the policy asks for decisions. */
  boolean isDecided() {
    return policy != null && policy.mode() != Mode.Off;
  }

  /** What the law sees: u is the capacity that the tier acknowledged, not the one desired. */
  LawInput input(MemoryReading reading, long tierUsedBytes) {
    return new LawInput(
        ack.capacityBytes(),
        ack.usedBytes(),
        reading.usedBytes(tierUsedBytes),
        policy.memoryTotalBytes(reading.totalBytes()),
        reading.sampledMillis());
  }

  /**
   * Whether a sample of this time is to be decided. If so, the next turn is one interval after this
   * one was due, even if the sample was late, so that the one that follows is on time again. A
   * sample may come a quarter of the interval early, so that jitter skips none; no two turns are
   * closer than half an interval, and their mean distance stays the interval. A due time out of
   * reach is ignored: after a silence, a clock that was set back, or a shorter interval.
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
