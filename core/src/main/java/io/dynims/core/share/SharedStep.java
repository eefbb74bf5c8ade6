package io.dynims.core.share;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.ControlLaw;
import io.dynims.core.law.Held;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.Limit;
import io.dynims.core.law.NodeModel;
import io.dynims.core.law.Share;
import io.dynims.core.wire.SharePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A step of the law that a node's tiers share. The law sees them as one tier, so that the step is
 * what it would be with one; it is {@linkplain Division divided} by weight, and if the policy says
 * so by what the tiers' memory is worth.
 */
public final class SharedStep {

  /** By how much a tier's worth changes its weight at most. */
  private static final double MAX_WORTH = 2;

  private SharedStep() {}

  /**
   * Decides for tiers of a node together, by the law of the first.
   *
   * @param tiers at least one. Any other tier of the node keeps what it holds
   * @param before what was decided for the first of them; the others take what is left of the step
   * @param otherWeight the weights of those tiers of the node that somebody else decides, at least
   *     0
   * @param model what is known of the node; takes the sample into account
   * @return a decision for each of the others
   */
  public static List<CapacityDecision> decide(
      List<SharingTier> tiers, List<CapacityDecision> before, double otherWeight, NodeModel model) {
    if (tiers.size() == 1 && otherWeight == 0) {
      return List.of(tiers.get(0).decideAlone(model));
    }
    double weight = otherWeight + tiers.stream().mapToDouble(SharingTier::weight).sum();
    var members = tiers.stream().map(each -> Member.of(each, each.weight() / weight)).toList();
    Member first = members.get(0);
    ControlLaw law = ControlLaw.of(parameters(first.parameters(), members));
    CapacityDecision whole = law.decide(input(first.input(), members), model);
    double stepBytes = (double) sum(members, Member::startBytes) - whole.desiredBytes();
    double leftBytes = stepBytes;
    for (int i = 0; i < before.size(); i++) {
      leftBytes -= (double) members.get(i).startBytes() - before.get(i).desiredBytes();
    }
    leftBytes = Math.max(Math.min(0, stepBytes), Math.min(Math.max(0, stepBytes), leftBytes));
    return share(whole, members.subList(before.size(), members.size()), leftBytes, otherWeight);
  }

  private static List<CapacityDecision> share(
      CapacityDecision whole, List<Member> members, double stepBytes, double otherWeight) {
    double[] weights = weights(members, stepBytes);
    double[] parts = parts(members, stepBytes, weights, otherWeight, unusedBytes(whole));
    double weight = otherWeight + Arrays.stream(weights).sum();
    long capacityBytes = whole.input().capacityBytes();
    List<CapacityDecision> decisions = new ArrayList<>(members.size());
    for (int i = 0; i < parts.length; i++) {
      double ratio = weights[i] / weight;
      var share = new Share(ratio, members.size(), capacityBytes, Math.round(stepBytes));
      decisions.add(members.get(i).decision(parts[i], whole, share));
    }
    return decisions;
  }

  /** What is free below the set point; 0 where the node is above it. */
  private static double unusedBytes(CapacityDecision whole) {
    LawInput input = whole.input();
    double setPointBytes = whole.parameters().threshold() * input.memoryTotalBytes();
    return Math.max(0, setPointBytes - input.claimedBytes());
  }

  /**
   * The parts of a step; one above 0 shrinks. What costs nothing comes first: a shrink takes what
   * holds no data, and a growth gives back what is not freed yet. While a member holds more than
   * its capacity, the others grow only into what is free, as they may fill it sooner. What other
   * deciders' tiers hold is not known.
   */
  private static double[] parts(
      List<Member> members,
      double stepBytes,
      double[] weights,
      double otherWeight,
      double unusedBytes) {
    double[] rooms = each(members, member -> member.roomBytes(stepBytes));
    if (otherWeight > 0) {
      return Division.divide(stepBytes, weights, rooms, otherWeight);
    }
    double[] empty = each(members, Member::emptyBytes);
    double[] first = stepBytes > 0 ? empty : each(members, Member::keptBytes);
    double firstBytes = Math.min(Math.abs(stepBytes), Arrays.stream(first).sum());
    double[] parts = Division.divide(Math.copySign(firstBytes, stepBytes), weights, first, 0);
    Arrays.setAll(rooms, i -> rooms[i] - Math.abs(parts[i]));
    double restBytes = Math.abs(stepBytes) - firstBytes;
    if (stepBytes < 0 && members.stream().anyMatch(Member::isAbove)) {
      // What is empty has been promised already.
      double freeBytes = Math.max(0, unusedBytes - Arrays.stream(empty).sum());
      restBytes = Math.min(restBytes, freeBytes);
    }
    double[] rest = Division.divide(Math.copySign(restBytes, stepBytes), weights, rooms, 0);
    Arrays.setAll(parts, i -> parts[i] + rest[i]);
    return parts;
  }

  /**
   * The weights for a step; one above 0 shrinks. A tier whose bytes serve more reads than the mean
   * gives less and takes more.
   */
  private static double[] weights(List<Member> members, double stepBytes) {
    double[] weights = each(members, Member::weight);
    double[] hits = each(members, Member::hitsPerByte);
    double mean = Arrays.stream(hits).average().orElseThrow();
    if (mean > 0) {
      for (int i = 0; i < weights.length; i++) {
        double worth = Math.max(1 / MAX_WORTH, Math.min(MAX_WORTH, hits[i] / mean));
        boolean counts = members.get(i).byHits();
        weights[i] *= !counts ? 1 : stepBytes > 0 ? 1 / worth : worth;
      }
    }
    return weights;
  }

  /** What the law sees of all members. */
  private static LawInput input(LawInput own, List<Member> members) {
    long ageMillis = 0;
    Held held = Held.of(0);
    for (Member member : members) {
      held = held.plus(member.held());
      ageMillis = Math.max(ageMillis, member.input().tierUsedAgeMillis());
    }
    return new LawInput(
        sum(members, Member::capacityBytes),
        sum(members, Member::startBytes),
        held,
        own.allTiers(),
        ageMillis,
        sum(members, Member::unevictableBytes),
        own.memoryUsedBytes(),
        own.hintedBytes(),
        own.memoryTotalBytes(),
        own.pressure(),
        own.sampledMillis());
  }

  /** The parameters of one member with the bounds of all. */
  private static LawParameters parameters(LawParameters own, List<Member> members) {
    return new LawParameters(
        own.threshold(),
        own.gain(),
        sum(members, Member::lowBytes),
        sum(members, member -> member.parameters().maxBytes()),
        own.forecast());
  }

  private static long sum(List<Member> members, ToLongFunction<Member> value) {
    long sum = 0;
    for (Member member : members) {
      long next = value.applyAsLong(member);
      sum = next > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + next;
    }
    return sum;
  }

  private static double[] each(List<Member> members, ToDoubleFunction<Member> value) {
    return members.stream().mapToDouble(value).toArray();
  }

  /**
   * A tier that takes part.
   *
   * @param held what it holds, but at most its policy's maximum
   * @param overheadBytes what it holds above its capacity for good
   * @param startBytes the capacity that its step starts from
   * @param highBytes the most that it may be resized to
   */
  private record Member(
      SharePolicy share,
      Double hitRatio,
      LawInput input,
      LawParameters parameters,
      Held held,
      long overheadBytes,
      long startBytes,
      long highBytes) {

    /**
     * A tier that takes part. Its capacity may exceed its data by its part of the head start; more
     * would stay empty, and is left to the others.
     *
     * @param ratio its weight as a part of all weights, above 0 and at most 1
     */
    static Member of(SharingTier tier, double ratio) {
      LawInput input = tier.input();
      LawParameters parameters = tier.parameters();
      long maxBytes = parameters.maxBytes();
      long startBytes = input.desiredBytes();
      var forecast = parameters.forecast();
      if (forecast != null) {
        double headStart = ratio * forecast.headStart().of(input.memoryTotalBytes());
        long startedBytes = Math.round(input.tier().leastBytes() + headStart);
        double band = forecast.deadBand() * input.memoryTotalBytes();
        startBytes = startBytes > startedBytes + band ? startedBytes : startBytes;
        maxBytes = Math.min(maxBytes, Math.max(startBytes, startedBytes));
      }
      maxBytes = Math.max(maxBytes, parameters.floorBytes());
      startBytes = Math.max(parameters.floorBytes(), Math.min(maxBytes, startBytes));
      return new Member(
          tier.policy().share(),
          tier.hitRatio(),
          input,
          parameters,
          input.tier().atMost(parameters.maxBytes()),
          tier.overheadBytes(),
          startBytes,
          maxBytes);
    }

    double weight() {
      return share.weight();
    }

    boolean byHits() {
      return share.byHits();
    }

    /** The share of reads that each of its bytes serves; not a number if unknown. */
    double hitsPerByte() {
      return hitRatio == null || input.tier().usedBytes() == 0
          ? Double.NaN
          : hitRatio / input.tier().usedBytes();
    }

    // What an adapter tells beyond the policy's maximum is wrong, or about to end; the other tiers
    // are not to pay for it.

    long capacityBytes() {
      return Math.min(input.capacityBytes(), parameters.maxBytes());
    }

    long unevictableBytes() {
      return Math.min(input.unevictableBytes(), held().usedBytes());
    }

    /** The least that it may be resized to. */
    long lowBytes() {
      return parameters.floorBytes();
    }

    /** How much of a step it can take; a step above 0 shrinks. */
    double roomBytes(double stepBytes) {
      return stepBytes > 0 ? startBytes - lowBytes() : highBytes - startBytes;
    }

    /** How much of its capacity it may give that holds no data. */
    double emptyBytes() {
      return Math.max(0, startBytes - Math.max(lowBytes(), held().leastBytes()));
    }

    /** How much of what it still frees it may keep; its overhead is not freed. */
    double keptBytes() {
      double freeingBytes = (double) held().usedBytes() - overheadBytes - startBytes;
      return Math.max(0, Math.min(freeingBytes, roomBytes(-1)));
    }

    /** Whether it holds more than its capacity, and may be freeing that. */
    boolean isAbove() {
      return held().usedBytes() > startBytes;
    }

    /** Its part of a decision for all. */
    CapacityDecision decision(double partBytes, CapacityDecision whole, Share part) {
      long desiredBytes = startBytes - Math.round(partBytes);
      double stepBytes =
          (double) input.capacityBytes() - startBytes + part.ratio() * part.stepBytes();
      return CapacityDecision.shared(
          input, parameters, stepBytes, desiredBytes, limit(desiredBytes, part), whole, part);
    }

    private Limit limit(long desiredBytes, Share part) {
      if (part.stepBytes() > 0 && desiredBytes == lowBytes()) {
        return lowBytes() > parameters.minBytes() ? Limit.Unpersisted : Limit.Min;
      }
      if (part.stepBytes() < 0 && desiredBytes == parameters.maxBytes()) {
        return Limit.Max;
      }
      boolean isAhead = startBytes < input.desiredBytes() || part.stepBytes() < 0;
      return isAhead && desiredBytes == highBytes ? Limit.HeadStart : Limit.None;
    }
  }
}
