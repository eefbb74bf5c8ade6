package io.dynims.core.loop;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.Limit;
import io.dynims.core.law.Share;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.SharePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The tiers of a node as they were when a sample came. The law sees them as one tier, so that the
 * node's step is what it would be with one; it is {@linkplain Division divided} by weight, and if
 * the policy says so by what the tiers' memory is worth.
 *
 * <p>A tier that is not resized, or has not answered its last push, takes no part in the step of
 * another: its data count as the jobs'.
 */
final class TierPool {

  /** By how much a tier's worth changes its weight at most. */
  private static final double MAX_WORTH = 2;

  private record Known(TierLoopState tier, LawInput input) {}

  private final List<Known> tiers = new ArrayList<>(2);
  private final double otherWeight;

  /**
   * A pool without tiers.
   *
   * @param otherWeight the weights of those tiers of the node that somebody else decides
   */
  TierPool(double otherWeight) {
    this.otherWeight = otherWeight;
  }

  /** Adds a tier that told lately which capacity is in force. */
  void add(TierLoopState tier, LawInput input) {
    tiers.add(new Known(tier, input));
  }

  /** Decides for a tier, and keeps what its next decision needs. */
  CapacityDecision decide(TierLoopState tier, LawInput input) {
    List<Known> sharing = new ArrayList<>(tiers.size());
    sharing.add(new Known(tier, input));
    double weight = otherWeight + weight(tier);
    for (Known other : tiers) {
      boolean isResized = other.tier().policy.mode() == Mode.Enforce && !other.tier().failed;
      if (other.tier() != tier && isResized) {
        sharing.add(other);
        weight += weight(other.tier());
      }
    }
    if (sharing.size() == 1 && otherWeight == 0) {
      return tier.keep(tier.decide(input));
    }
    List<Member> members = new ArrayList<>(sharing.size());
    for (Known each : sharing) {
      members.add(Member.of(each.tier(), each.input(), weight(each.tier()) / weight));
    }
    // Tiers cannot hold more than the node does: whoever tells so is wrong.
    boolean credible = sum(members, Member::usedBytes) <= input.memoryUsedBytes();
    return tier.keep(credible ? share(tier, members) : tier.decide(input));
  }

  private static double weight(TierLoopState tier) {
    return tier.policy.share().weight();
  }

  /** The first member's share of the decision for all. */
  private CapacityDecision share(TierLoopState tier, List<Member> members) {
    Member own = members.get(0);
    CapacityDecision whole =
        tier.policy
            .law()
            .create(parameters(own.parameters(), members))
            .decide(input(own.input(), members), tier.lawState);
    double stepBytes = (double) sum(members, Member::startBytes) - whole.desiredBytes();
    double[] weights = weights(members, stepBytes);
    double[] rooms = each(members, member -> member.roomBytes(stepBytes));
    double partBytes = Division.divide(stepBytes, weights, rooms, otherWeight)[0];
    double weight = otherWeight;
    for (double each : weights) {
      weight += each;
    }
    var share =
        new Share(
            weights[0] / weight,
            members.size(),
            whole.input().capacityBytes(),
            Math.round(stepBytes));
    return own.decision(partBytes, whole, share);
  }

  /**
   * The weights for a step; one above 0 shrinks. A tier whose bytes serve more reads than the mean
   * gives less and takes more.
   */
  private static double[] weights(List<Member> members, double stepBytes) {
    double[] weights = each(members, Member::weight);
    double[] hits = each(members, Member::hitsPerByte);
    double mean = Arrays.stream(hits).average().orElseThrow();
    if (members.get(0).byHits() && mean > 0) {
      for (int i = 0; i < weights.length; i++) {
        double worth = Math.max(1 / MAX_WORTH, Math.min(MAX_WORTH, hits[i] / mean));
        weights[i] *= stepBytes > 0 ? 1 / worth : worth;
      }
    }
    return weights;
  }

  /** What the law sees of all members. */
  private static LawInput input(LawInput own, List<Member> members) {
    long ageMillis = 0;
    for (Member member : members) {
      ageMillis = Math.max(ageMillis, member.input().tierUsedAgeMillis());
    }
    return new LawInput(
        sum(members, Member::capacityBytes),
        sum(members, Member::startBytes),
        sum(members, Member::usedBytes),
        ageMillis,
        sum(members, Member::unevictableBytes),
        own.memoryUsedBytes(),
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
   * @param startBytes the capacity that its step starts from
   * @param highBytes the most that it may be resized to
   */
  private record Member(
      SharePolicy share,
      Double hitRatio,
      LawInput input,
      LawParameters parameters,
      long startBytes,
      long highBytes) {

    /**
     * A tier whose policy has this part of the weights. It runs ahead of its data by that part of
     * the head start: what is beyond holds nothing, and is left to the others.
     */
    static Member of(TierLoopState tier, LawInput input, double ratio) {
      var parameters = tier.policy.parameters(input.memoryTotalBytes(), tier.unpersistedBytes());
      long maxBytes = parameters.maxBytes();
      long startBytes = input.desiredBytes();
      var forecast = parameters.forecast();
      if (forecast != null) {
        double headStart = ratio * forecast.headStart().of(input.memoryTotalBytes());
        long startedBytes = Math.round(input.tierUsedBytes() + headStart);
        double band = forecast.deadBand() * input.memoryTotalBytes();
        startBytes = startBytes > startedBytes + band ? startedBytes : startBytes;
        maxBytes = Math.min(maxBytes, Math.max(startBytes, startedBytes));
      }
      maxBytes = Math.max(maxBytes, parameters.floorBytes());
      startBytes = Math.max(parameters.floorBytes(), Math.min(maxBytes, startBytes));
      return new Member(
          tier.policy.share(), tier.ack.hitRatio(), input, parameters, startBytes, maxBytes);
    }

    double weight() {
      return share.weight();
    }

    boolean byHits() {
      return share.byHits();
    }

    /** The share of reads that each of its bytes serves; not a number if unknown. */
    double hitsPerByte() {
      return hitRatio == null || input.tierUsedBytes() == 0
          ? Double.NaN
          : hitRatio / input.tierUsedBytes();
    }

    // What an adapter tells beyond the policy's maximum is wrong, or about to end; the other tiers
    // are not to pay for it.

    long capacityBytes() {
      return Math.min(input.capacityBytes(), parameters.maxBytes());
    }

    long usedBytes() {
      return Math.min(input.tierUsedBytes(), parameters.maxBytes());
    }

    long unevictableBytes() {
      return Math.min(input.unevictableBytes(), usedBytes());
    }

    /** The least that it may be resized to. */
    long lowBytes() {
      return parameters.floorBytes();
    }

    /** How much of a step it can take; a step above 0 shrinks. */
    double roomBytes(double stepBytes) {
      return stepBytes > 0 ? startBytes - lowBytes() : highBytes - startBytes;
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
