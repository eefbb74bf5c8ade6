package io.dynims.simulation;

/**
 * How long tasks stall because memory is short, as the kernel's pressure stall information would
 * report it for a node of this utilization:
 *
 * <pre>
 *   share of time = (r − 0.98) / (1.05 − 0.98)     held to [0, 1]
 *
 *   r  utilization, v / M
 * </pre>
 *
 * A model: reclaim begins a little before memory is used up, and a node that uses 5 % more than it
 * has does nothing else.
 */
final class StallModel {

  private static final double FIRST = 0.98;
  private static final double ALL = 1.05;

  private double stalledMicros;

  /** The share of time in which tasks stall, in [0, 1]. */
  static double share(double utilization) {
    return Math.max(0, Math.min(1, (utilization - FIRST) / (ALL - FIRST)));
  }

  /** Lets time pass at a utilization. */
  void pass(double utilization, long millis) {
    stalledMicros += share(utilization) * millis * 1e3;
  }

  /** The stall time so far, in microseconds. */
  long stalledMicros() {
    return Math.round(stalledMicros);
  }
}
