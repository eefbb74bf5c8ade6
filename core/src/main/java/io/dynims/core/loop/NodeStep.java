package io.dynims.core.loop;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.share.SharingTier;
import io.dynims.core.wire.MemoryReading;
import java.util.ArrayList;
import java.util.List;

/** One step of the laws: a reading makes a decision for each tier of its node whose turn it is. */
final class NodeStep {

  private final NodeLoopState node;
  private final double otherWeight;

  NodeStep(NodeLoopState node, double otherWeight) {
    this.node = node;
    this.otherWeight = otherWeight;
  }

  /** A decision that nobody knows of yet. */
  record Decided(TierLoopState tier, CapacityDecision decision) {}

  /**
   * Decides for each tier whose turn it is.
   *
   * @param before the reading before, which pressure is counted from; null if there was none
   * @param always whether to decide for the others, too
   */
  List<Decided> decide(
      MemoryReading reading, MemoryReading before, boolean always, long nowMillis) {
    double pressure = reading.pressureSince(before);
    node.hints.observe(node.jobSample(reading), node.toldHints());
    List<SharingTier> resized = resized(reading, pressure, nowMillis);
    List<Decided> decided = new ArrayList<>(node.tiers.size());
    for (TierLoopState tier : node.tiers.values()) {
      boolean known = tier.isDecided() && tier.ack != null;
      if (known && (tier.takeTurn(reading.sampledMillis()) || always)) {
        var input = input(tier, reading, pressure, nowMillis);
        boolean confirmed = tier.isConfirmed(nowMillis);
        var decision =
            confirmed ? tier.decide(input, resized, otherWeight) : tier.unconfirmed(input);
        decided.add(new Decided(tier, decision));
      }
    }
    return decided;
  }

  /** The tiers that share a step, before any of them is decided; one alone shares nothing. */
  private List<SharingTier> resized(MemoryReading reading, double pressure, long nowMillis) {
    if (node.tiers.size() == 1) {
      return List.of();
    }
    return node.tiers.values().stream()
        .filter(tier -> tier.policy != null && tier.isResized(nowMillis))
        .map(tier -> tier.sharing(input(tier, reading, pressure, nowMillis)))
        .toList();
  }

  /** What the law of a tier sees. */
  LawInput input(TierLoopState tier, MemoryReading reading, double pressure, long nowMillis) {
    return tier.input(node, reading, pressure, nowMillis);
  }
}
