package io.dynims.simulation;

import io.dynims.core.law.MemorySize;
import java.util.List;

/**
 * What a simulation assumes besides the trace and the policy.
 *
 * @param tier how the tier behaves
 * @param link what happens between the node and the loop
 * @param tolerance the push gate's, as a part of M; 0 pushes every change
 * @param heldMillis longest time without a push while the tier is steady
 * @param hints what jobs announce, and when
 * @param reportTolerance by how much of M a sample may differ from the last one sent without being
 *     sent, in [0, 1]; null for a node that sends every sample
 */
public record SimulationOptions(
    Tier tier,
    Link link,
    double tolerance,
    long heldMillis,
    List<SimulatedHint> hints,
    Double reportTolerance) {

  /** A demand above any capacity: the tier always has data to fill up with. */
  public static final MemorySize UNBOUNDED = MemorySize.ofBytes(Long.MAX_VALUE);

  /** A tier that follows at once and a loop without delay. */
  public static final SimulationOptions IDEAL =
      new SimulationOptions(Tier.of(Rates.UNLIMITED), Link.IDEAL, 0, 0);

  /** Options of a simulation without hints. */
  public SimulationOptions(Tier tier, Link link, double tolerance, long heldMillis) {
    this(tier, link, tolerance, heldMillis, List.of(), null);
  }

  /** The same with another tier. */
  public SimulationOptions withTier(Tier newTier) {
    return new SimulationOptions(newTier, link, tolerance, heldMillis, hints, reportTolerance);
  }

  /** The same with these hints. */
  public SimulationOptions withHints(List<SimulatedHint> newHints) {
    return new SimulationOptions(
        tier, link, tolerance, heldMillis, List.copyOf(newHints), reportTolerance);
  }

  /** The same with a node that reports by exception. */
  public SimulationOptions reportingByException(double newReportTolerance) {
    return new SimulationOptions(tier, link, tolerance, heldMillis, hints, newReportTolerance);
  }

  /**
   * How the tier behaves.
   *
   * @param rates how fast it gives memory back and fills up
   * @param demand what its data set would occupy, where the trace does not say
   * @param lockedBytes how much of its content cannot be evicted, at least 0
   * @param startBytes its capacity at the beginning; null for the policy's maximum
   * @param startUsedBytes its content at the beginning; null for all that capacity and demand allow
   * @param answerMillis how long its adapter waits for memory to be freed before it answers a push,
   *     at least 0
   */
  public record Tier(
      Rates rates,
      MemorySize demand,
      long lockedBytes,
      Long startBytes,
      Long startUsedBytes,
      long answerMillis) {

    /** A tier of these rates that is always full. */
    public static Tier of(Rates rates) {
      return new Tier(rates, UNBOUNDED, 0, null, null, 0);
    }

    /** The same tier with another capacity at the beginning; null for the policy's maximum. */
    public Tier startingAt(Long bytes) {
      return new Tier(rates, demand, lockedBytes, bytes, startUsedBytes, answerMillis);
    }
  }

  /**
   * What happens between the node and the loop.
   *
   * @param delayTicks how many ticks a sample takes to the loop, at least 0
   * @param ackDelayTicks how many ticks an ack takes to the loop, at least 0
   * @param lossRatio the share of samples that get lost, in [0, 1]
   * @param seed which ones get lost
   * @param usedFromAcks whether samples lack what the tier holds, so that only acks tell it
   */
  public record Link(
      int delayTicks, int ackDelayTicks, double lossRatio, long seed, boolean usedFromAcks) {

    public static final Link IDEAL = delayed(0, 0);

    /** A link that loses nothing. */
    public static Link delayed(int delayTicks, int ackDelayTicks) {
      return new Link(delayTicks, ackDelayTicks, 0, 1, false);
    }
  }
}
