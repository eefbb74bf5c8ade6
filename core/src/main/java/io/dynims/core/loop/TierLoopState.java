package io.dynims.core.loop;

import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawState;
import io.dynims.core.law.Limit;
import io.dynims.core.share.SharedStep;
import io.dynims.core.share.SharingTier;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Everything the loop knows of one tier; a POJO by Flink's rules, as {@link NodeLoopState}. */
public final class TierLoopState {

  /** The limits that may end although nothing changes on the node. */
  private static final Set<Limit> WAITING =
      EnumSet.of(Limit.Settling, Limit.Pressure, Limit.Oscillation);

  /** Null until one comes. */
  public Policy policy;

  /** The latest that tells a capacity; null until one comes. */
  public Ack ack;

  /** When that ack came, by the loop's clock. */
  public long ackedMillis;

  /** Whether a push has failed since that ack. */
  public boolean failed;

  /** When the next decision is due, by the sample's time. */
  public long dueMillis;

  /** The capacity last decided. */
  public long desiredBytes;

  /** When the memory behind that decision was sampled; 0 if none may still be on its way. */
  public long desiredSampledMillis;

  /** What the law remembers of the tier. */
  public LawState lawState = LawState.NONE;

  /** Whether its next decision may differ although the node is unchanged. */
  public boolean moving;

  /** {@link #lawState} as of the last report of a node that reports by exception. */
  public LawState reportedState = LawState.NONE;

  /** {@link #dueMillis} as of then. */
  public long reportedDueMillis;

  /** What the tier held then, by that report or its last ack; null if unknown. */
  public Long reportedUsedBytes;

  /** Follows a policy from now on. */
  void follow(Policy latest) {
    moving |= !latest.equals(policy);
    policy = latest;
  }

  /**
   * Keeps the latest ack. A failure tells only that the last push may be in force or not. A tier
   * that has waited for the ack is decided with the next sample, also if the node leaves that out.
   */
  void accept(Ack latest, long nowMillis) {
    failed = latest.status() == AckStatus.Failed;
    moving |= failed;
    if (!failed) {
      moving |= isAnswer(latest);
      if (desiredSampledMillis == 0) {
        dueMillis = 0;
        moving = true;
      }
      moving |=
          ack == null
              || !Objects.equals(ack.capacityBytes(), latest.capacityBytes())
              || !Objects.equals(ack.hints(), latest.hints());
      ack = latest;
      ackedMillis = nowMillis;
    }
  }

  /** Whether an ack is the first one that answers the last decision. */
  private boolean isAnswer(Ack latest) {
    return desiredSampledMillis != 0
        && latest.sampledMillis() >= desiredSampledMillis
        && (ack == null || ack.sampledMillis() < desiredSampledMillis);
  }

  /** Whether the tier told lately which capacity is in force. */
  boolean isConfirmed(long nowMillis) {
    return Math.abs(nowMillis - ackedMillis) <= policy.staleAfterMillis();
  }

  /** Whether the policy asks for decisions. */
  boolean isDecided() {
    return policy != null && policy.mode() != Mode.Off;
  }

  /**
   * What the law sees. u is the capacity that the tier acknowledged, not the one desired.
   *
   * @param pressure the share of time in which tasks waited for memory; NaN if unknown
   */
  LawInput input(NodeLoopState node, MemoryReading reading, double pressure, long nowMillis) {
    long totalBytes = policy.memoryTotalBytes(reading.totalBytes());
    return new LawInput(
        ack.capacityBytes(),
        isUnanswered() ? desiredBytes : ack.capacityBytes(),
        toldBytes(reading),
        leastBytes(reading),
        node.toldBytes(reading),
        tells(reading) ? 0 : Math.max(0, nowMillis - ackedMillis),
        ack.unevictableBytes() == null ? 0 : ack.unevictableBytes(),
        reading.usedBytes(node.tierUsedBytes()),
        Math.min(node.hints.hintedBytes, totalBytes),
        totalBytes,
        pressure,
        reading.sampledMillis());
  }

  /** Whether a reading tells what the tier held at its time. */
  boolean tells(MemoryReading reading) {
    return reading.tierUse() != null && reading.tierUse().tier().equals(policy.tier());
  }

  /** What the tier was last known to hold, whatever it has been asked for since. */
  long toldBytes(MemoryReading reading) {
    return tells(reading) ? reading.tierUse().usedBytes() : ack.usedBytes();
  }

  /** What the tier holds that exists nowhere else, as far as it tells. */
  long unpersistedBytes() {
    return ack.unpersistedBytes() == null ? 0 : ack.unpersistedBytes();
  }

  /** Whether the tier has not answered the last decision; a failed push may be in force or not. */
  private boolean isUnanswered() {
    return policy.mode() == Mode.Enforce
        && desiredSampledMillis != 0
        && (desiredSampledMillis > ack.sampledMillis() || failed);
  }

  /**
   * What the tier holds if a decision that is unanswered is in force already. The stock plugin's v
   * was corrected by the ack, so there the same is to be taken off again.
   */
  private long leastBytes(MemoryReading reading) {
    boolean told = tells(reading) || reading.isStock() || !isUnanswered();
    return told ? toldBytes(reading) : Math.min(ack.usedBytes(), desiredBytes);
  }

  /** Whether it takes part in the steps of the node's tiers: it is resized, and answers. */
  boolean isResized(long nowMillis) {
    boolean answers = ack != null && !failed && isConfirmed(nowMillis);
    return policy.mode() == Mode.Enforce && answers;
  }

  /** What is known of it when a sample comes. */
  SharingTier sharing(LawInput input) {
    return new SharingTier(policy, input, unpersistedBytes(), ack.hitRatio());
  }

  /**
   * Decides, and keeps what the law remembers. A tier that is resized moves on once it answers.
   *
   * @param resized the tiers that take part in the step, as they were before any decision
   * @param otherWeight the weights of further tiers, which somebody else decides
   */
  CapacityDecision decide(LawInput input, List<SharingTier> resized, double otherWeight) {
    var decision = SharedStep.decide(sharing(input), resized, otherWeight, lawState);
    lawState = decision.nextState();
    moving =
        policy.mode() == Mode.Enforce
            && decision.action() == Action.Hold
            && WAITING.contains(decision.limitedBy());
    return decision;
  }

  /**
   * Keeps a decision that is published. A tier refuses samples older than the last one that it was
   * sent. If that one was implied, a real sample may still arrive that is a little older; it then
   * counts as taken at the same time, so that the tier accepts it.
   *
   * @return when the memory behind the decision counts as sampled
   */
  long decided(CapacityDecision decision, MemoryReading reading) {
    if (decision.limitedBy() == Limit.Unconfirmed) {
      return reading.sampledMillis();
    }
    long aheadMillis = desiredSampledMillis - reading.sampledMillis();
    boolean outrun = aheadMillis > 0 && aheadMillis <= reading.heartbeatMillis();
    desiredBytes = decision.desiredBytes();
    desiredSampledMillis = outrun ? desiredSampledMillis : reading.sampledMillis();
    return desiredSampledMillis;
  }

  /** Holds until the next ack. By then the last decision is in force, or it never will be. */
  CapacityDecision unconfirmed(LawInput input) {
    desiredSampledMillis = 0;
    moving = false;
    return CapacityDecision.unconfirmed(
        input, policy.parameters(input.memoryTotalBytes(), unpersistedBytes()), lawState);
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

  /** Keeps what is known with a report, to go on from there when the next one comes. */
  void reported(MemoryReading report) {
    reportedState = lawState;
    reportedDueMillis = dueMillis;
    boolean told = policy != null && tells(report);
    reportedUsedBytes = ack == null ? null : told ? report.tierUse().usedBytes() : ack.usedBytes();
  }

  /** Forgets what the law has seen since the last report. */
  void rollBack() {
    lawState = reportedState;
    resetTurn();
  }

  /** Lets what was decided since the last report take no turn of the next one. */
  void resetTurn() {
    dueMillis = Math.min(dueMillis, reportedDueMillis);
  }

  /** By how much more it holds than at the last report, by its acks. */
  long roseBytes() {
    return ack == null || reportedUsedBytes == null ? 0 : ack.usedBytes() - reportedUsedBytes;
  }
}
