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
    node.hints.observe(node.jobSample(reading), node.toldHints());
    List<Decided> decided = new ArrayList<>(node.tiers.size());
    if (!node.takeTurn(reading.sampledMillis()) && !always) {
      return decided;
    }
    List<Member> members = members(reading, reading.pressureSince(before), nowMillis);
    for (Member each : members) {
      if (each.part == StepPart.None) {
        decided.add(new Decided(each.tier, each.tier.unconfirmed(each.input)));
      }
    }
    members.removeIf(each -> each.part == StepPart.None);
    share(members, decided);
    node.moving = decided.stream().anyMatch(Decided::isWaiting);
    return decided;
  }

  /**
   * Decides on readings that were left out, oldest first, if it is the node's turn.
   *
   * @param before the reading before them
   * @return what was decided last
   */
  List<Decided> decideLeftOut(List<MemoryReading> leftOut, MemoryReading before, long nowMillis) {
    List<Decided> decided = new ArrayList<>();
    for (MemoryReading reading : leftOut) {
      node.report.impliedMillis = reading.sampledMillis();
      decided = decide(reading, before, false, nowMillis);
      before = reading;
    }
    return decided;
  }

  /** Adds a decision for each member; they are in the order of their parts. */
  private void share(List<Member> members, List<Decided> decided) {
    int count = members.size();
    boolean isSplit = count > 1 && members.get(0).part != members.get(count - 1).part;
    NodeModel prior = isSplit ? node.model.clone() : node.model;
    List<SharingTier> sharing = new ArrayList<>(count);
    List<CapacityDecision> first = List.of();
    int end = 0;
    while (end < count) {
      int begin = end;
      StepPart part = members.get(begin).part;
      while (end < count && members.get(end).part == part) {
        sharing.add(members.get(end).sharing());
        end++;
      }
      NodeModel model = begin == 0 ? node.model : prior.settled();
      List<CapacityDecision> known = part == StepPart.Unanswered ? first : List.of();
      var parts = SharedStep.decide(sharing, known, otherWeight, model);
      for (int i = begin; i < end; i++) {
        decided.add(new Decided(members.get(i).tier, parts.get(i - known.size())));
      }
      first = begin == 0 ? parts : first;
    }
  }

  /** A tier that is decided and has told its capacity. */
  private record Member(TierLoopState tier, StepPart part, LawInput input) {

    SharingTier sharing() {
      return tier.sharing(input);
    }

    String name() {
      return tier.policy.tier();
    }
  }

  /** By part and name. */
  private List<Member> members(MemoryReading reading, double pressure, long nowMillis) {
    List<Member> members = new ArrayList<>(node.tiers.size());
    Held allTiers = node.held(reading, nowMillis);
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.isDecided() && tier.ack != null) {
        LawInput input = tier.input(node, reading, allTiers, pressure, nowMillis);
        members.add(new Member(tier, tier.part(nowMillis, startedMillis), input));
      }
    }
    members.sort(Comparator.comparing(Member::part).thenComparing(Member::name));
    return members;
  }
}
