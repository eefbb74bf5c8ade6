package io.dynims.core.loop;

import static io.dynims.core.loop.TierLoopState.NO_PLACE;

import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.Limit;
import io.dynims.core.share.SharedStep;
import io.dynims.core.share.SharingTier;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One step of the law: a reading makes a decision for each tier of its node. */
final class NodeStep {

  /** The limits that may end although nothing changes on the node. */
  private static final Set<Limit> WAITING =
      EnumSet.of(Limit.Settling, Limit.Pressure, Limit.Oscillation);

  private static final Comparator<TierLoopState> BY_NAME =
      Comparator.comparing(tier -> tier.policy.tier());

  private final NodeLoopState node;
  private final double otherWeight;

  NodeStep(NodeLoopState node, double otherWeight) {
    this.node = node;
    this.otherWeight = otherWeight;
  }

  /** A decision that nobody knows of yet. */
  record Decided(TierLoopState tier, CapacityDecision decision) {

    /** Whether it may change with the next sample although the node does not. */
    boolean isWaiting() {
      return tier.policy.mode() == Mode.Enforce
          && decision.action() == Action.Hold
          && WAITING.contains(decision.limitedBy());
    }
  }

  /**
   * Decides, if it is the node's turn.
   *
   * @param before the reading before, which pressure is counted from; null if there was none
   * @param always whether to decide out of turn, too
   */
  List<Decided> decide(
      MemoryReading reading, MemoryReading before, boolean always, long nowMillis) {
    double pressure = reading.pressureSince(before);
    node.hints.observe(node.jobSample(reading), node.toldHints());
    List<Decided> decided = new ArrayList<>(node.tiers.size());
    if (!node.takeTurn(reading.sampledMillis()) && !always) {
      return decided;
    }
    List<TierLoopState> known = known();
    int first = known.stream().mapToInt(tier -> tier.place(nowMillis)).min().orElse(NO_PLACE);
    List<TierLoopState> together = new ArrayList<>(known.size());
    List<SharingTier> sharing = new ArrayList<>(known.size());
    for (TierLoopState tier : known) {
      if (first != NO_PLACE && tier.place(nowMillis) == first) {
        together.add(tier);
        sharing.add(tier.sharing(input(tier, reading, pressure, nowMillis)));
      }
    }
    for (TierLoopState tier : known) {
      int place = tier.place(nowMillis);
      LawInput input = input(tier, reading, pressure, nowMillis);
      if (place == NO_PLACE) {
        decided.add(new Decided(tier, tier.unconfirmed(input)));
      } else if (place > first) {
        decided.add(new Decided(tier, shown(tier.sharing(input), sharing)));
      }
    }
    if (!sharing.isEmpty()) {
      var parts = SharedStep.decide(sharing, otherWeight, node.model);
      for (int i = 0; i < parts.size(); i++) {
        decided.add(new Decided(together.get(i), parts.get(i)));
      }
    }
    node.moving = decided.stream().anyMatch(Decided::isWaiting);
    return decided;
  }

  /** What a tier would be decided beside others; nobody remembers it. */
  private CapacityDecision shown(SharingTier tier, List<SharingTier> others) {
    List<SharingTier> all = new ArrayList<>(others);
    all.add(tier);
    return SharedStep.decide(all, otherWeight, node.model.settled()).get(others.size());
  }

  /** The tiers that are decided and have told their capacity, by name. */
  private List<TierLoopState> known() {
    List<TierLoopState> known = new ArrayList<>(node.tiers.size());
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.isDecided() && tier.ack != null) {
        known.add(tier);
      }
    }
    known.sort(BY_NAME);
    return known;
  }

  /** What the law of a tier sees. */
  LawInput input(TierLoopState tier, MemoryReading reading, double pressure, long nowMillis) {
    return tier.input(node, reading, pressure, nowMillis);
  }
}
