package io.dynims.core.loop;

import io.dynims.core.hint.HintLedger;
import io.dynims.core.hint.JobSample;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** The time of the last reading that it implied and that was used, by its node; 0 for none. */
  public long impliedMillis;

  /** When the shipped reader last sent a reading; 0 for never. */
  public long readerHeardMillis;

  /** Whether the node is silent and its tiers hold. */
  public boolean silent;

  /** When the host is to call {@link NodeLoop#onTimer}; 0 for not at all. */
  public long timerMillis;

  /** Readings of the stock plugin that lack parts, in the order of their first part. */
  public List<MemoryReading> pending = new ArrayList<>();

  /** By the tier's name. */
  public Map<String, TierLoopState> tiers = new HashMap<>();

  /** What its jobs hold, and what they are about to take. */
  public HintLedger hints = new HintLedger();

  /** The age at which readings are too old: the least that a policy of the node says. */
  long staleAfterMillis() {
    long least = Long.MAX_VALUE;
    for (TierLoopState tier : tiers.values()) {
      if (tier.policy != null) {
        least = Math.min(least, tier.policy.staleAfterMillis());
      }
    }
    return least == Long.MAX_VALUE ? Policy.DEFAULT_STALE_AFTER_MILLIS : least;
  }

  /** The time between two decisions of the tier that is decided most often; at least 1. */
  long intervalMillis() {
    long least = Long.MAX_VALUE;
    for (TierLoopState tier : tiers.values()) {
      if (tier.policy != null) {
        least = Math.min(least, tier.policy.intervalMillis());
      }
    }
    return least == Long.MAX_VALUE ? Policy.DEFAULT_STALE_AFTER_MILLIS : Math.max(1, least);
  }

  /** Whether the next decision may differ although the node is unchanged. */
  boolean isMoving() {
    for (TierLoopState tier : tiers.values()) {
      if (tier.moving && tier.isDecided() && tier.ack != null) {
        return true;
      }
    }
    return false;
  }

  boolean hasPolicy() {
    for (TierLoopState tier : tiers.values()) {
      if (tier.policy != null) {
        return true;
      }
    }
    return false;
  }

  /** What the node's tiers occupy, by their last acks; a tier without a policy does not count. */
  long tierUsedBytes() {
    long sum = 0;
    for (TierLoopState tier : tiers.values()) {
      sum += tier.policy == null || tier.ack == null ? 0 : tier.ack.usedBytes();
    }
    return sum;
  }

  /**
   * What the node's tiers were last known to hold; one without a policy or an ack does not count.
   */
  long toldBytes(MemoryReading reading) {
    long sum = 0;
    for (TierLoopState tier : tiers.values()) {
      sum += tier.policy == null || tier.ack == null ? 0 : tier.toldBytes(reading);
    }
    return sum;
  }

  /** What a reading tells of the jobs; a tier without a policy or an ack does not count. */
  JobSample jobSample(MemoryReading reading) {
    boolean exact = true;
    for (TierLoopState tier : tiers.values()) {
      if (tier.policy != null && tier.ack != null) {
        // The stock plugin's v is what is in use without any tier, plus what the acks tell.
        exact &= tier.tells(reading) || reading.isStock();
      }
    }
    long heldBytes = toldBytes(reading);
    long jobBytes = Math.max(0, reading.usedBytes(tierUsedBytes()) - heldBytes);
    return new JobSample(jobBytes, heldBytes, exact, reading.totalBytes(), reading.sampledMillis());
  }

  /** The hints of all tiers; tiers of a node may tell the same hints. */
  List<Hint> toldHints() {
    List<Hint> told = List.of();
    for (TierLoopState tier : tiers.values()) {
      if (tier.policy != null && tier.ack != null && tier.ack.hints() != null) {
        told = told.isEmpty() ? new ArrayList<>() : told;
        told.addAll(tier.ack.hints());
      }
    }
    return told;
  }
}
