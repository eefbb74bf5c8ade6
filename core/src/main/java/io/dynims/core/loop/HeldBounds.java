package io.dynims.core.loop;

import io.dynims.core.law.Held;
import io.dynims.core.wire.MemoryReading;

/** What a tier held when a reading was taken, and how sure that is. */
final class HeldBounds {

  private HeldBounds() {}

  /** Whether a reading tells what a tier held at its time. */
  static boolean tells(TierLoopState tier, MemoryReading reading) {
    return reading.tierUse() != null && reading.tierUse().tier().equals(tier.policy.tier());
  }

  /** Whether a reading takes a tier's data for cache, so that v is what its ack adds. */
  static boolean isHidden(TierLoopState tier, MemoryReading reading) {
    return reading.isStock() && !Boolean.TRUE.equals(tier.ack.inProcess());
  }

  /**
   * Whether what a tier told is of the same time as v; so it is, too, where v is what is in use
   * without the tier, plus what its ack tells.
   */
  static boolean isExact(TierLoopState tier, MemoryReading reading) {
    return tells(tier, reading) || isHidden(tier, reading);
  }

  /**
   * What a tier was known to hold when a reading was taken, whatever it has been asked for since. A
   * reading that is late does not show yet what has been freed after it.
   */
  static long toldBytes(TierLoopState tier, MemoryReading reading) {
    return tells(tier, reading)
        ? reading.tierUse().usedBytes()
        : isHidden(tier, reading) ? tier.ack.usedBytes() : toldBytes(tier, reading.sampledMillis());
  }

  /** What is known of what a tier holds. */
  static Held of(TierLoopState tier, MemoryReading reading, long nowMillis) {
    long toldBytes = toldBytes(tier, reading);
    return isExact(tier, reading)
        ? Held.of(toldBytes)
        : new Held(
            toldBytes, leastBytes(tier, toldBytes), mostBytes(tier, reading, toldBytes, nowMillis));
  }

  /**
   * What the tier holds if a decision that is unanswered is in force already, and all is freed that
   * is above its capacity, but for its overhead. Where v was corrected by the ack, the same is to
   * be taken off again.
   */
  private static long leastBytes(TierLoopState tier, long toldBytes) {
    long freedBytes =
        tier.ack.usedBytes() - Math.max(0, TierLoopState.aboveBytes(tier.ack) - tier.overheadBytes);
    long bytes = Math.min(toldBytes, freedBytes);
    return Math.min(bytes, tier.isUnanswered() ? tier.pending.capacityBytes() : bytes);
  }

  /**
   * What the tier may have held where no reader measures it: what it told next, if that is more;
   * where its answers stay away, it may have filled its capacity, within the policy's maximum.
   */
  private static long mostBytes(
      TierLoopState tier, MemoryReading reading, long toldBytes, long nowMillis) {
    long sampledMillis = reading.sampledMillis();
    long nextBytes = knows(tier, sampledMillis) ? tier.usage.bytesAfter(sampledMillis) : toldBytes;
    long mostBytes = Math.max(toldBytes, nextBytes);
    if (!isSilent(tier, reading, nowMillis)) {
      return mostBytes;
    }
    long totalBytes = tier.policy.memoryTotalBytes(reading.totalBytes());
    long capacityBytes =
        Math.max(tier.ack.capacityBytes(), tier.isUnanswered() ? tier.pending.capacityBytes() : 0);
    return Math.max(
        mostBytes, Math.min(capacityBytes, tier.policy.parameters(totalBytes).maxBytes()));
  }

  /** Whether no ack came for two and a half intervals, or the last one is of as long before. */
  private static boolean isSilent(TierLoopState tier, MemoryReading reading, long nowMillis) {
    long mostMillis = tier.policy.intervalMillis() * 5 / 2;
    // A held push repeats an old answer, as nothing has changed since.
    long toldMillis = Math.max(tier.usage.newestMillis(), tier.ack.sampledMillis());
    return Math.abs(nowMillis - tier.ackedMillis) > mostMillis
        || (!tier.usage.isEmpty() && reading.sampledMillis() - toldMillis > mostMillis);
  }

  /** What its acks tell that it held at a time; the last one if their clock is another. */
  static long toldBytes(TierLoopState tier, long sampledMillis) {
    return knows(tier, sampledMillis) ? tier.usage.bytesAt(sampledMillis) : tier.ack.usedBytes();
  }

  /** Whether the acks are by the node's clock and tell of about that time. */
  private static boolean knows(TierLoopState tier, long sampledMillis) {
    long mostLateMillis = tier.policy == null ? 0 : tier.policy.staleAfterMillis();
    return !tier.usage.isEmpty() && tier.usage.newestMillis() - sampledMillis <= mostLateMillis;
  }
}
