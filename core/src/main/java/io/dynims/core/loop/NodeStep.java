package io.dynims.core.loop;

import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
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
    List<TierLoopState> tiers = known(nowMillis);
    List<SharingTier> sharing = new ArrayList<>(tiers.size());
    for (TierLoopState tier : tiers) {
      LawInput input = tier.input(node, reading, pressure, nowMillis);
      if (tier.part(nowMillis) == StepPart.None) {
        decided.add(new Decided(tier, tier.unconfirmed(input)));
      } else {
        sharing.add(tier.sharing(input));
      }
    }
    int end = sharing.size();
    while (end > 0) {
      StepPart part = tiers.get(end - 1).part(nowMillis);
      int begin = end - 1;
      while (begin > 0 && tiers.get(begin - 1).part(nowMillis) == part) {
        begin--;
      }
      NodeModel model = begin == 0 ? node.model : node.model.settled();
      var parts = SharedStep.decide(sharing.subList(0, end), otherWeight, model);
      for (int i = begin; i < end; i++) {
        decided.add(new Decided(tiers.get(i), parts.get(i)));
      }
      end = begin;
    }
    node.moving = decided.stream().anyMatch(Decided::isWaiting);
    return decided;
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
        Comparator.<TierLoopState, StepPart>comparing(tier -> tier.part(nowMillis))
            .thenComparing(tier -> tier.policy.tier()));
    return known;
  }
}
