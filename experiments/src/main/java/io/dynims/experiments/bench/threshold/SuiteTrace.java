package io.dynims.experiments.bench.threshold;

import io.dynims.cli.simulate.PolicyDocument;
import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.Rates;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.SimulationSummary;
import io.dynims.simulation.TraceRow;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace of the suite.
 *
 * @param kind its kind
 * @param seed what it was made from
 * @param rows its rows
 */
record SuiteTrace(SyntheticTrace kind, long seed, List<TraceRow> rows) {

  /** A store as it was measured on tmpfs, at some distance from its limits. */
  static final Rates RATES = new Rates(5L << 30, 2L << 30);

  static final long MEMORY_BYTES = 125_000_000_000L;
  static final long MAX_BYTES = 60_000_000_000L;

  /** What {@link InevitableExcess} assumes, too. */
  static final int DELAY_TICKS = 1;

  private static final long SECOND_MILLIS = 1_000;

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
        suite.add(new SuiteTrace(kind, seed, rows));
      }
    }
    return suite;
  }

  /** Runs a policy from the state in which its law is at rest. */
  SimulationSummary run(Policy policy, double threshold) {
    long restBytes = Math.round(threshold * MEMORY_BYTES) - rows.get(0).jobBytes();
    long startBytes = Math.max(0, Math.min(MAX_BYTES, restBytes));
    SimulationOptions options =
        new SimulationOptions(
            SimulationOptions.Tier.of(RATES).startingAt(startBytes),
            SimulationOptions.Link.delayed(DELAY_TICKS, 0),
            0,
            0);
    SimulationSummary summary = new SimulationSummary();
    new Simulation(PolicyDocument.withThreshold(policy, threshold), options)
        .run(rows, summary::add);
    return summary;
  }

  /** By how much an ideal law passes M. */
  long inevitableBytes(double threshold) {
    return InevitableExcess.bytes(rows, RATES, MAX_BYTES, threshold);
  }

  /** Whether the load rises within some second by more than the store frees in one. */
  boolean outrunsStore() {
    return greatestRiseBytes() > RATES.freeBytesPerSecond();
  }

  /** The greatest rise of job memory from one row to another at most a second later. */
  private long greatestRiseBytes() {
    long mostBytes = 0;
    for (int i = 0; i < rows.size(); i++) {
      for (int k = i - 1; k >= 0 && since(k, i) <= SECOND_MILLIS; k--) {
        mostBytes = Math.max(mostBytes, rows.get(i).jobBytes() - rows.get(k).jobBytes());
      }
    }
    return mostBytes;
  }

  private long since(int earlier, int row) {
    return rows.get(row).millis() - rows.get(earlier).millis();
  }

  long millis() {
    return rows.get(rows.size() - 1).millis() - rows.get(0).millis() + SyntheticTrace.TICK_MILLIS;
  }

  @Override
  public String toString() {
    return kind + " of seed " + seed;
  }
}
