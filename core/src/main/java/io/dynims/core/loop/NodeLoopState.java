package io.dynims.core.loop;

import io.dynims.core.hint.HintLedger;
import io.dynims.core.hint.JobSample;
import io.dynims.core.law.Held;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Everything the loop knows of one node; a plain value that the host stores. It is a POJO by
 * Flink's rules, so that saved state can gain fields. Times are by the loop's clock unless the name
 * says {@code sampled}.
 */
public final class NodeLoopState {

  /** The last reading accepted; null before the first. */
  public MemoryReading last;

  /** When it was accepted. */
  public long acceptedMillis;

  /** When the shipped reader last sent a reading; 0 for never. */
  public long readerHeardMillis;

  /** Whether the node is silent and its tiers hold. */
  public boolean silent;

  /** When the host is to call {@link NodeLoop#onTimer}; 0 for not at all. */
  public long timerMillis;

  /** When the next decision is due, by the sample's time. */
  public long dueMillis;

  /** Whether the next decision may differ although the node is unchanged. */
  public boolean moving;

  /** What the law has learnt of the node. */
  public NodeModel model = new NodeModel();

  /** What was known with its last report, if it reports by exception. */
  public LastReport report = new LastReport();

  /** What has come of the stock plugin's readings. */
  public StockParts stockParts = new StockParts();

  /** By the tier's name. */
  public Map<String, TierLoopState> tiers = new HashMap<>();

  /** What its jobs hold, and what they are about to take. */
  public HintLedger hints = new HintLedger();

  /** Goes on from a reading. */
  void accept(MemoryReading reading, long nowMillis) {
    last = reading;
    report.impliedMillis = 0;
    acceptedMillis = nowMillis;
    tiers.values().forEach(tier -> tier.usage.forget(reading.sampledMillis()));
  }

  /** The age at which readings are too old: the least that a policy of the node says. */
  long staleAfterMillis() {
    return least(Policy::staleAfterMillis);
  }

  /** The time between two decisions: the least that a policy of the node says; at least 1. */
  long intervalMillis() {
    return least(Policy::intervalMillis);
  }

  private long least(ToLongFunction<Policy> millis) {
    long least = Long.MAX_VALUE;
    for (TierLoopState tier : tiers.values()) {
      least = tier.policy == null ? least : Math.min(least, millis.applyAsLong(tier.policy));
    }
    return least == Long.MAX_VALUE ? Policy.DEFAULT_STALE_AFTER_MILLIS : Math.max(1, least);
  }

  /** Whether a decision may differ although the node is unchanged, and there is one to make. */
  boolean isMoving() {
    return moving && tiers.values().stream().anyMatch(t -> t.isDecided() && t.ack != null);
  }

  boolean hasPolicy() {
    return tiers.values().stream().anyMatch(tier -> tier.policy != null);
  }

  /** Forgets tiers that no policy has named for as long as it takes readings to become stale. */
  void dropUnnamedTiers(long nowMillis) {
    long staleAfterMillis = staleAfterMillis();
    tiers
        .values()
        .removeIf(t -> t.policy == null && Math.abs(nowMillis - t.ackedMillis) > staleAfterMillis);
  }

  /** v. */
  long memoryUsedBytes(MemoryReading reading) {
    return reading.usedBytes(
        sum(tier -> HeldBounds.isHidden(tier, reading) ? tier.ack.usedBytes() : 0));
  }

  /** What the node's tiers were last known to hold. */
  private long toldBytes(MemoryReading reading) {
    return sum(tier -> HeldBounds.toldBytes(tier, reading));
  }

  /** What is known of what they hold. */
  Held held(MemoryReading reading, long nowMillis) {
    Held held = Held.of(0);
    for (TierLoopState tier : tiers.values()) {
      held = tier.counts() ? held.plus(HeldBounds.of(tier, reading, nowMillis)) : held;
    }
    return held;
  }

  /** A tier without a policy or an ack does not count. */
  private long sum(ToLongFunction<TierLoopState> value) {
    long sum = 0;
    for (TierLoopState tier : tiers.values()) {
      sum += tier.counts() ? value.applyAsLong(tier) : 0;
    }
    return sum;
  }

  /** A tier counts from now on: what it holds is no longer part of j. */
  void joined(TierLoopState tier) {
    addToJobs(tier, -1);
  }

  /** A tier counts no longer: what it holds is part of j from now on. */
  void left(TierLoopState tier) {
    addToJobs(tier, 1);
  }

  private void addToJobs(TierLoopState tier, int sign) {
    if (last != null && tier.counts() && !HeldBounds.isHidden(tier, last)) {
      model.addToJobs(sign * (double) HeldBounds.toldBytes(tier, last));
      if (report.model != null) {
        report.model.addToJobs(sign * (double) report.toldBytes(tier));
      }
    }
  }

  /**
   * Whether a sample of this time is to be decided. If so, the next turn is one interval after this
   * one was due, even if the sample was late, so that the one that follows is on time again. A
   * sample may come a quarter of the interval early, so that jitter skips none; no two turns are
   * closer than half an interval, and their mean distance stays the interval. A due time out of
   * reach is ignored: after a silence, a clock that was set back, or a shorter interval.
   */
  boolean takeTurn(long sampledMillis) {
    long interval = intervalMillis();
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

  /** Lets the next sample be decided, also if the node leaves that out. */
  void decideSoon() {
    dueMillis = 0;
    moving = true;
  }

  /** Forgets what the law has seen since the last report. */
  void rollBack() {
    report.impliedMillis = 0;
    model = report.model == null ? new NodeModel() : report.model.clone();
    resetTurn();
  }

  /** Lets what was decided since the last report take no turn of the next one. */
  void resetTurn() {
    dueMillis = Math.min(dueMillis, report.dueMillis);
  }

  /** What a reading tells of the jobs. */
  JobSample jobSample(MemoryReading reading) {
    boolean exact = sum(tier -> HeldBounds.isExact(tier, reading) ? 0 : 1) == 0;
    long heldBytes = toldBytes(reading);
    long jobBytes = Math.max(0, memoryUsedBytes(reading) - heldBytes);
    return new JobSample(jobBytes, heldBytes, exact, reading.totalBytes(), reading.sampledMillis());
  }

  /** The hints of all tiers; tiers of a node may tell the same hints. */
  List<Hint> toldHints() {
    return tiers.values().stream()
        .filter(tier -> tier.policy != null && tier.ack != null && tier.ack.hints() != null)
        .flatMap(tier -> tier.ack.hints().stream())
        .toList();
  }
}
