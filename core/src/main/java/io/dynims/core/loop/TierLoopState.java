package io.dynims.core.loop;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.Held;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.Limit;
import io.dynims.core.share.SharingTier;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import java.util.Objects;

/** Everything the loop knows of one tier; a POJO by Flink's rules, as {@link NodeLoopState}. */
public final class TierLoopState {

  /** Null until one comes. */
  public Policy policy;

  /** The latest that tells a capacity; null until one comes. */
  public Ack ack;

  /** When that ack came, by the loop's clock. */
  public long ackedMillis;

  /** When the tier's answer behind it came first; a held push repeats the answer before. */
  public long answeredMillis;

  /** What it held by its last acks, and when. */
  public UsageHistory usage = new UsageHistory();

  /** Whether a push has failed since that ack. */
  public boolean failed;

  /** What it holds above its capacity for good; what is above that is being freed. */
  public long overheadBytes;

  /** The last decision that was published; null if none may still be on its way. */
  public Pending pending;

  /** Follows a policy from now on. What was only shown is not on its way to the tier. */
  void follow(Policy latest) {
    boolean shown = policy != null && policy.mode() != Mode.Enforce;
    pending = shown ? null : pending;
    policy = latest;
  }

  /**
   * Keeps the latest ack. A failure tells only that the last push may be in force or not.
   *
   * @return whether the next decision may differ although the node is unchanged
   */
  boolean accept(Ack latest, long nowMillis) {
    if (policy != null && isRecent(nowMillis) && usage.isAfter(latest)) {
      return false; // A newer one came before it. Otherwise a clock was set back.
    }
    failed = latest.status() == AckStatus.Failed;
    if (failed) {
      return true;
    }
    boolean news =
        isAnswer(latest)
            || ack == null
            || !Objects.equals(ack.capacityBytes(), latest.capacityBytes())
            || !Objects.equals(ack.hints(), latest.hints());
    if (ack == null || ack.appliedMillis() != latest.appliedMillis()) {
      answeredMillis = nowMillis;
      overheadBytes = isFreeing(latest) ? overheadBytes : aboveBytes(latest);
    }
    if (holds() && !isAnswer(latest)) {
      pending = new Pending(latest.capacityBytes(), pending.sampledMillis());
    }
    ack = latest;
    ackedMillis = nowMillis;
    usage.keep(latest);
    return news;
  }

  /** Whether it was held, or not decided yet, for want of an ack. */
  boolean awaitsAck() {
    return isDecided() && pending == null;
  }

  /** Whether the last decision was to keep what is in force, whatever that is by now. */
  private boolean holds() {
    return pending != null && ack != null && pending.capacityBytes() == ack.capacityBytes();
  }

  /** Whether an ack is the first one that answers the last decision. */
  private boolean isAnswer(Ack latest) {
    return pending != null
        && latest.sampledMillis() >= pending.sampledMillis()
        && (ack == null || ack.sampledMillis() < pending.sampledMillis());
  }

  private boolean isRecent(long nowMillis) {
    return Math.abs(nowMillis - ackedMillis) <= policy.staleAfterMillis();
  }

  /**
   * Whether the tier told lately which capacity is in force, and since this host started: before
   * that, decisions may have been made that are not in the state which it goes on from.
   */
  private boolean isConfirmed(long nowMillis, long startedMillis) {
    return isRecent(nowMillis)
        && Math.abs(nowMillis - ackedMillis) <= Math.abs(nowMillis - startedMillis);
  }

  /** Whether what it holds counts as a tier's. */
  boolean counts() {
    return policy != null && ack != null;
  }

  /** Whether the policy asks for decisions. */
  boolean isDecided() {
    return policy != null && policy.mode() != Mode.Off;
  }

  /**
   * What the law sees. u is the capacity that the tier acknowledged, not the one desired.
   *
   * @param allTiers what all tiers of the node hold
   * @param pressure the share of time in which tasks waited for memory; NaN if unknown
   */
  LawInput input(
      NodeLoopState node, MemoryReading reading, Held allTiers, double pressure, long nowMillis) {
    long totalBytes = policy.memoryTotalBytes(reading.totalBytes());
    return new LawInput(
        ack.capacityBytes(),
        isUnanswered() ? pending.capacityBytes() : ack.capacityBytes(),
        HeldBounds.of(this, reading, nowMillis),
        allTiers,
        HeldBounds.tells(this, reading) ? 0 : Math.max(0, nowMillis - answeredMillis),
        ack.unevictableBytes() == null ? 0 : ack.unevictableBytes(),
        node.memoryUsedBytes(reading),
        Math.min(node.hints.hintedBytes, totalBytes),
        totalBytes,
        pressure,
        reading.sampledMillis());
  }

  /** What the tier holds that exists nowhere else, as far as it tells. */
  long unpersistedBytes() {
    return ack.unpersistedBytes() == null ? 0 : ack.unpersistedBytes();
  }

  /**
   * Whether the tier has not answered the last decision; a failed push may be in force or not, and
   * a store may still be busy with a shrink.
   */
  boolean isUnanswered() {
    return policy.mode() == Mode.Enforce
        && pending != null
        && (pending.sampledMillis() > ack.sampledMillis() || failed || isStillShrinking());
  }

  private boolean isStillShrinking() {
    return ack.status() == AckStatus.Partial && pending.capacityBytes() < ack.capacityBytes();
  }

  /** Whether its capacity was cut since the ack before, or what it holds has fallen. */
  private boolean isFreeing(Ack latest) {
    return ack != null
        && (latest.capacityBytes() < ack.capacityBytes() || latest.usedBytes() < ack.usedBytes());
  }

  /** What it holds above its capacity. */
  static long aboveBytes(Ack latest) {
    return Math.max(0, latest.usedBytes() - latest.capacityBytes());
  }

  /** What part it takes in the steps of its node. */
  StepPart part(long nowMillis, long startedMillis) {
    if (!isDecided() || ack == null || !isConfirmed(nowMillis, startedMillis)) {
      return StepPart.None;
    }
    return policy.mode() == Mode.Recommend
        ? StepPart.Shown
        : failed ? StepPart.Unanswered : StepPart.Resized;
  }

  /** What is known of it when a sample comes. */
  SharingTier sharing(LawInput input) {
    return new SharingTier(policy, input, unpersistedBytes(), overheadBytes, ack.hitRatio());
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
    long aheadMillis = pending == null ? 0 : pending.sampledMillis() - reading.sampledMillis();
    boolean outrun = aheadMillis > 0 && aheadMillis <= reading.heartbeatMillis();
    long sampledMillis = reading.sampledMillis() + (outrun ? aheadMillis : 0);
    pending = new Pending(decision.desiredBytes(), sampledMillis);
    return sampledMillis;
  }

  /** Holds until the next ack. By then the last decision is in force, or it never will be. */
  CapacityDecision unconfirmed(LawInput input) {
    pending = null;
    return held(input, Limit.Unconfirmed);
  }

  /** Holds for a reason for which the law is not asked. */
  CapacityDecision held(LawInput input, Limit limit) {
    var parameters = policy.parameters(input.memoryTotalBytes(), unpersistedBytes());
    return CapacityDecision.held(input, parameters, limit);
  }
}
