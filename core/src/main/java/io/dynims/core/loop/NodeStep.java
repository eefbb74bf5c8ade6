package io.dynims.core.loop;

import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.Held;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.Limit;
import io.dynims.core.law.NodeModel;
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
  private static final Set<Limit> WAITING = EnumSet.of(Limit.Settling, Limit.Pressure);

  private final NodeLoopState node;
  private final long startedMillis;
  private final double otherWeight;

  NodeStep(NodeLoopState node, long startedMillis, double otherWeight) {
    this.node = node;
    this.startedMillis = startedMillis;
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
    List<TierLoopState> tiers = known(nowMillis);
    List<SharingTier> sharing = new ArrayList<>(tiers.size());
    Held allTiers = node.held(reading, nowMillis);
    for (TierLoopState tier : tiers) {
      LawInput input = tier.input(node, reading, allTiers, pressure, nowMillis);
      if (part(tier, nowMillis) == StepPart.None) {
        decided.add(new Decided(tier, tier.unconfirmed(input)));
      } else {
        sharing.add(tier.sharing(input));
      }
    }
    int end = 0;
    boolean isSplit =
        sharing.size() > 1
            && part(tiers.get(sharing.size() - 1), nowMillis) != part(tiers.get(0), nowMillis);
    NodeModel prior = isSplit ? node.model.clone() : node.model;
    List<CapacityDecision> first = List.of();
    for (int begin = 0; begin < sharing.size(); begin = end) {
      StepPart part = part(tiers.get(begin), nowMillis);
      do {
        end++;
      } while (end < sharing.size() && part(tiers.get(end), nowMillis) == part);
      NodeModel model = begin == 0 ? node.model : prior.settled();
      List<CapacityDecision> known = part == StepPart.Unanswered ? first : List.of();
      var parts = SharedStep.decide(sharing.subList(0, end), known, otherWeight, model);
      for (int i = begin; i < end; i++) {
        decided.add(new Decided(tiers.get(i), parts.get(i - known.size())));
      }
      first = begin == 0 ? parts : first;
    }
    node.moving = decided.stream().anyMatch(Decided::isWaiting);
    return decided;
  }

  private StepPart part(TierLoopState tier, long nowMillis) {
    return tier.part(nowMillis, startedMillis);
  }

  /** The tiers that are decided and have told their capacity, by part and name. */
  private List<TierLoopState> known(long nowMillis) {
    List<TierLoopState> known = new ArrayList<>(node.tiers.size());
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.isDecided() && tier.ack != null) {
        known.add(tier);
      }
    }
    known.sort(
        Comparator.<TierLoopState, StepPart>comparing(tier -> part(tier, nowMillis))
            .thenComparing(tier -> tier.policy.tier()));
    return known;
  }
}
