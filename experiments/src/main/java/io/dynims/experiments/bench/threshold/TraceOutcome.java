package io.dynims.experiments.bench.threshold;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.SimulationSummary;

/**
 * What a law made of a trace at one threshold.
 *
 * @param inevitableBytes the trace's {@link InevitableExcess} at this threshold
 */
record TraceOutcome(
    SuiteTrace trace, LawType law, SimulationSummary summary, long inevitableBytes) {

  /** A law is held to so many times the inevitable excess... */
  private static final double ALLOWANCE = 1.1;

  /** ...and to this part of M on top, because samples and capacities come on a grid. */
  private static final double GRID = 0.001;

  static TraceOutcome of(SuiteTrace trace, Policy policy, double threshold) {
    return new TraceOutcome(
        trace, policy.law(), trace.run(policy, threshold), trace.inevitableBytes(threshold));
  }

  /** By how much the node passed M at most; 0 or less if it never did. */
  long excessBytes() {
    return Math.round((summary.maxUtilization() - 1) * SuiteTrace.MEMORY_BYTES);
  }

  /** By how much the law missed what it is held to; 0 or less if it did not. */
  long missBytes() {
    double limitBytes = ALLOWANCE * inevitableBytes + GRID * SuiteTrace.MEMORY_BYTES;
    return Math.round(excessBytes() - limitBytes);
  }
}
