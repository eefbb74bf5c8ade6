package io.dynims.flink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known of one node. A POJO by Flink's rules, so that its state can grow fields. "Now" is
 * the job's clock; a sample's time is the node's.
 */
public final class NodeState {

  static final long DEFAULT_STALE_AFTER_MILLIS = 2_000;
  static final long FUTURE_TOLERANCE_MILLIS = 5_000;

  /** Parts of different instants may arrive mixed, as collectd spreads them over partitions. */
  private static final int MAX_PENDING = 4;

  /** The last reading accepted; null before the first. */
  public MemoryReading last;

  /** When it was accepted, by the job's clock. */
  public long acceptedMillis;

  /** When the shipped reader was last heard, by the job's clock; 0 for never. */
  public long readerHeardMillis;

  /** Whether the tiers were told that the node went silent. */
  public boolean silent;

  /** The pending timer, or 0. */
  public long timerMillis;

  /** Readings of the stock plugin that lack parts, in the order of their first part. */
  public List<MemoryReading> pending = new ArrayList<>();

  /** By the tier's name. */
  public Map<String, TierState> tiers = new HashMap<>();

  /** The age from which readings are not acted on: the least that a policy of the node says. */
  long staleAfterMillis() {
    long least = Long.MAX_VALUE;
    for (TierState tier : tiers.values()) {
      if (tier.policy != null) {
        least = Math.min(least, tier.policy.staleAfterMillis());
      }
    }
    return least == Long.MAX_VALUE ? DEFAULT_STALE_AFTER_MILLIS : least;
  }

  boolean hasPolicy() {
    for (TierState tier : tiers.values()) {
      if (tier.policy != null) {
        return true;
      }
    }
    return false;
  }

  /** What the node's tiers occupy, by their last acks. */
  long tierUsedBytes() {
    long sum = 0;
    for (TierState tier : tiers.values()) {
      sum += tier.ack == null ? 0 : tier.ack.usedBytes();
    }
    return sum;
  }

  /**
   * Why a reading must be dropped, or null. A node whose clock was set back would look out of order
   * for ever; once nothing was accepted from it for as long as makes readings stale, its new time
   * is taken as it is.
   */
  Refusal refusal(MemoryReading reading, long nowMillis) {
    long staleAfterMillis = staleAfterMillis();
    long ageMillis = nowMillis - reading.sampledMillis();
    if (ageMillis < -FUTURE_TOLERANCE_MILLIS) {
      return Refusal.Future;
    }
    if (ageMillis > staleAfterMillis) {
      return Refusal.Stale;
    }
    if (isSuperseded(reading, nowMillis, staleAfterMillis)) {
      return Refusal.Superseded;
    }
    if (last == null || reading.sampledMillis() > last.sampledMillis()) {
      return null;
    }
    if (reading.sampledMillis() == last.sampledMillis()) {
      return Refusal.Repeated;
    }
    return nowMillis - acceptedMillis >= staleAfterMillis ? null : Refusal.OutOfOrder;
  }

  private boolean isSuperseded(MemoryReading reading, long nowMillis, long staleAfterMillis) {
    return reading.isStock()
        && readerHeardMillis != 0
        && nowMillis - readerHeardMillis < staleAfterMillis;
  }

  /**
   * Adds a reading to the parts of its instant.
   *
   * @return the complete reading, or null while parts are missing
   */
  MemoryReading join(MemoryReading reading) {
    if (reading.isComplete()) {
      return reading;
    }
    for (int i = 0; i < pending.size(); i++) {
      if (pending.get(i).sampledMillis() == reading.sampledMillis()) {
        MemoryReading joined = pending.get(i).plus(reading);
        if (joined.isComplete()) {
          pending.remove(i);
          return joined;
        }
        pending.set(i, joined);
        return null;
      }
    }
    pending.add(reading);
    return null;
  }

  /** Makes room for new instants; returns how many incomplete readings were given up. */
  int dropOverdueParts() {
    int overdue = Math.max(0, pending.size() - MAX_PENDING);
    pending.subList(0, overdue).clear();
    return overdue;
  }

  /** Takes a reading as the node's latest; returns how many incomplete readings it outdates. */
  int accept(MemoryReading reading, long nowMillis) {
    last = reading;
    acceptedMillis = nowMillis;
    int before = pending.size();
    if (before > 0) {
      pending.removeIf(parts -> parts.sampledMillis() <= reading.sampledMillis());
    }
    return before - pending.size();
  }
}
