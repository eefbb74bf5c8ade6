package io.dynims.core.loop;

import io.dynims.core.law.CapacityDecision;
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

  /**
   * What the tier held at the last report of a node that reports by exception, by that report or
   * its last ack; null if unknown.
   */
  public Long reportedUsedBytes;

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
    if (policy != null && isConfirmed(nowMillis) && usage.isAfter(latest)) {
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

  /** What its acks tell that it held at a time; the last one if their clock is another. */
  private long heldBytes(long sampledMillis) {
    long mostLateMillis = policy == null ? 0 : policy.staleAfterMillis();
    boolean unknown = usage.isEmpty() || usage.newestMillis() - sampledMillis > mostLateMillis;
    return unknown ? ack.usedBytes() : usage.bytesAt(sampledMillis);
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

  /** Whether the tier told lately which capacity is in force. */
  boolean isConfirmed(long nowMillis) {
    return Math.abs(nowMillis - ackedMillis) <= policy.staleAfterMillis();
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
   * @param pressure the share of time in which tasks waited for memory; NaN if unknown
   */
  LawInput input(NodeLoopState node, MemoryReading reading, double pressure, long nowMillis) {
    long totalBytes = policy.memoryTotalBytes(reading.totalBytes());
    return new LawInput(
        ack.capacityBytes(),
        isUnanswered() ? pending.capacityBytes() : ack.capacityBytes(),
        toldBytes(reading),
        leastBytes(reading),
        node.toldBytes(reading),
        node.leastBytes(reading),
        node.mostBytes(reading, nowMillis),
        tells(reading) ? 0 : Math.max(0, nowMillis - answeredMillis),
        ack.unevictableBytes() == null ? 0 : ack.unevictableBytes(),
        node.memoryUsedBytes(reading),
        Math.min(node.hints.hintedBytes, totalBytes),
        totalBytes,
        pressure,
        reading.sampledMillis());
  }

  /** Whether a reading tells what the tier held at its time. */
  boolean tells(MemoryReading reading) {
    return reading.tierUse() != null && reading.tierUse().tier().equals(policy.tier());
  }

  /** Whether a reading takes the tier's data for cache, so that v is what its ack adds. */
  boolean isHidden(MemoryReading reading) {
    return reading.isStock() && !Boolean.TRUE.equals(ack.inProcess());
  }

  /**
   * What the tier was known to hold when a reading was taken, whatever it has been asked for since.
   * A reading that is late does not show yet what has been freed after it.
   */
  long toldBytes(MemoryReading reading) {
    return tells(reading)
        ? reading.tierUse().usedBytes()
        : isHidden(reading) ? ack.usedBytes() : heldBytes(reading.sampledMillis());
  }

  /** What the tier holds that exists nowhere else, as far as it tells. */
  long unpersistedBytes() {
    return ack.unpersistedBytes() == null ? 0 : ack.unpersistedBytes();
  }

  /**
   * Whether the tier has not answered the last decision; a failed push may be in force or not, and
   * a store may still be busy with a shrink.
   */
  private boolean isUnanswered() {
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

  private static long aboveBytes(Ack latest) {
    return Math.max(0, latest.usedBytes() - latest.capacityBytes());
  }

  /**
   * What the tier holds if a decision that is unanswered is in force already, and all is freed that
   * is above its capacity, but for its overhead. Where v was corrected by the ack, the same is to
   * be taken off again.
   */
  long leastBytes(MemoryReading reading) {
    if (tells(reading) || isHidden(reading)) {
      return toldBytes(reading);
    }
    long freedBytes = ack.usedBytes() - Math.max(0, aboveBytes(ack) - overheadBytes);
    long bytes = Math.min(toldBytes(reading), freedBytes);
    return isUnanswered() ? Math.min(bytes, pending.capacityBytes()) : bytes;
  }

  /**
   * What the tier may hold by now: where no reader measures it and its answers stay away, it may
   * have filled its capacity, within the policy's maximum.
   *
   * @param decided the part of the tiers that the law decides; nobody keeps the capacity of others
   *     free
   */
  long mostBytes(MemoryReading reading, StepPart decided, long nowMillis) {
    boolean silent = part(nowMillis) == decided && isSilent(reading, nowMillis);
    if (tells(reading) || isHidden(reading) || !silent) {
      return toldBytes(reading);
    }
    long totalBytes = policy.memoryTotalBytes(reading.totalBytes());
    long capacityBytes =
        Math.max(ack.capacityBytes(), isUnanswered() ? pending.capacityBytes() : 0);
    return Math.max(
        toldBytes(reading), Math.min(capacityBytes, policy.parameters(totalBytes).maxBytes()));
  }

  /** Whether no ack came for two and a half intervals, or the last one is of as long before. */
  private boolean isSilent(MemoryReading reading, long nowMillis) {
    long mostMillis = policy.intervalMillis() * 5 / 2;
    // A held push repeats an old answer, as nothing has changed since.
    long toldMillis = Math.max(usage.newestMillis(), ack.sampledMillis());
    return Math.abs(nowMillis - ackedMillis) > mostMillis
        || (!usage.isEmpty() && reading.sampledMillis() - toldMillis > mostMillis);
  }

  /** What part it takes in the steps of its node. */
  StepPart part(long nowMillis) {
    if (!isDecided() || ack == null || !isConfirmed(nowMillis)) {
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
    return CapacityDecision.unconfirmed(
        input, policy.parameters(input.memoryTotalBytes(), unpersistedBytes()));
  }

  /** Keeps what is known with a report, to go on from there when the next one comes. */
  void reported(MemoryReading report) {
    if (ack != null) {
      reportedUsedBytes = policy == null ? ack.usedBytes() : toldBytes(report);
    }
  }

  /** What it held at the last report; what it holds now if that is unknown. */
  long toldByReport() {
    return reportedUsedBytes == null ? ack.usedBytes() : reportedUsedBytes;
  }

  /** By how much more it held at a time than at the last report, by its acks. */
  long roseBytes(long sampledMillis) {
    return ack == null || reportedUsedBytes == null
        ? 0
        : heldBytes(sampledMillis) - reportedUsedBytes;
  }
}
