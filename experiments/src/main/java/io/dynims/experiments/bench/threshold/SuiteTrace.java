package io.dynims.experiments.bench.threshold;

import io.dynims.cli.simulate.PolicyDocument;
import io.dynims.cli.simulate.Rates;
import io.dynims.cli.simulate.Simulation;
import io.dynims.cli.simulate.SimulationOptions;
import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.cli.simulate.TraceRow;
import io.dynims.core.wire.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace of the suite, and what no law can avoid on it.
 *
 * @param kind its kind
 * @param rows its rows
 * @param inevitableBytes its {@link InevitableExcess}
 */
record SuiteTrace(SyntheticTrace kind, List<TraceRow> rows, long inevitableBytes) {

  /** A store as it was measured on tmpfs, at some distance from its limits. */
  static final Rates RATES = new Rates(5L << 30, 2L << 30);

  static final long MEMORY_BYTES = 125_000_000_000L;
  static final long MAX_BYTES = 60_000_000_000L;
  static final int DELAY_TICKS = 1;

  /**
   * What a law made of a trace.
   *
   * @param excessBytes by how much the node passed M at most; 0 or less if it never did
   * @param heldByteMillis what the tier held, summed up over time
   */
  record Outcome(long excessBytes, double heldByteMillis) {}

  /**
   * The traces of all kinds.
   *
   * @param seeds how many of each kind; the first one is the shipped file
   */
  static List<SuiteTrace> suite(int seeds) {
    List<SuiteTrace> suite = new ArrayList<>();
    for (SyntheticTrace kind : SyntheticTrace.values()) {
      for (long seed = 1; seed <= seeds; seed++) {
        List<TraceRow> rows = new ArrayList<>();
        kind.generate(seed, rows::add);
        suite.add(new SuiteTrace(kind, rows, InevitableExcess.bytes(rows, RATES, MAX_BYTES)));
      }
    }
    return suite;
  }

  /** Runs a policy from the state in which its law is at rest. */
  Outcome run(Policy policy, double threshold) {
    long restBytes = Math.round(threshold * MEMORY_BYTES) - rows.get(0).jobBytes();
    long startBytes = Math.max(0, Math.min(MAX_BYTES, restBytes));
    SimulationOptions options =
        new SimulationOptions(
            SimulationOptions.Tier.of(RATES).startingAt(startBytes),
            SimulationOptions.Link.delayed(DELAY_TICKS, 0),
            0,
            0);
    long[] mostBytes = {0};
    double[] heldByteMillis = {0};
    new Simulation(PolicyDocument.withThreshold(policy, threshold), options)
        .run(
            rows,
            tick -> {
              long usedBytes = Math.round(tick.utilization() * MEMORY_BYTES);
              mostBytes[0] = Math.max(mostBytes[0], usedBytes);
              heldByteMillis[0] += (double) tick.tierBytes() * tick.durationMillis();
            });
    return new Outcome(mostBytes[0] - MEMORY_BYTES, heldByteMillis[0]);
  }

  long millis() {
    return rows.get(rows.size() - 1).millis() - rows.get(0).millis() + SyntheticTrace.TICK_MILLIS;
  }
}
