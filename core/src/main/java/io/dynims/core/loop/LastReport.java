package io.dynims.core.loop;

import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.MemoryReading;
import java.util.HashMap;
import java.util.Map;

/**
 * What was known with the last report of a node that reports by exception, to go on from there when
 * the next one comes. A POJO by Flink's rules, as {@link NodeLoopState}.
 */
public final class LastReport {

  /** What the law had learnt; null before a report. */
  public NodeModel model;

  /** When the next decision was due, by the sample's time. */
  public long dueMillis;

  /** What each tier held, by its name: by the report or its last ack. */
  public Map<String, Long> tierUsedBytes = new HashMap<>();

  /** The time of the last reading left out since that the law has seen; 0 for none. */
  public long impliedMillis;

  /** Goes on from a report that the law has seen. */
  void keep(NodeLoopState node, MemoryReading report) {
    model = node.model.clone();
    dueMillis = node.dueMillis;
    tierUsedBytes.clear();
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.ack != null) {
        long usedBytes =
            tier.policy == null ? tier.ack.usedBytes() : HeldBounds.toldBytes(tier, report);
        tierUsedBytes.put(tier.ack.tier(), usedBytes);
      }
    }
  }

  /** What a tier that has told its capacity held; what it holds now if that is unknown. */
  long toldBytes(TierLoopState tier) {
    Long bytes = tierUsedBytes.get(tier.ack.tier());
    return bytes == null ? tier.ack.usedBytes() : bytes;
  }

  /** By how much more a tier held at a time, by its acks. */
  long roseBytes(TierLoopState tier, long sampledMillis) {
    Long bytes = tier.ack == null ? null : tierUsedBytes.get(tier.ack.tier());
    return bytes == null ? 0 : HeldBounds.toldBytes(tier, sampledMillis) - bytes;
  }
}
