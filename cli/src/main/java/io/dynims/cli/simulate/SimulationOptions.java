package io.dynims.cli.simulate;

import java.util.Optional;

/**
 * What a simulation assumes besides the trace and the policy.
 *
 * @param rates how fast the tier gives memory back and fills up
 * @param delayTicks how many ticks a sample takes to the loop, at least 0
 * @param ackDelayTicks how many ticks an ack takes to the loop, at least 0
 * @param tolerance the push gate's, as a part of M; 0 pushes every change
 * @param heldMillis longest time without a push while the tier is steady
 * @param startBytes the tier's capacity and content at the beginning; empty for the policy's
 *     maximum
 */
public record SimulationOptions(
    Rates rates,
    int delayTicks,
    int ackDelayTicks,
    double tolerance,
    long heldMillis,
    Optional<Long> startBytes) {

  /** A tier that follows at once and a loop without delay. */
  public static final SimulationOptions IDEAL =
      new SimulationOptions(Rates.UNLIMITED, 0, 0, 0, 0, Optional.empty());
}
