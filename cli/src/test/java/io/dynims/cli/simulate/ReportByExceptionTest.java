package io.dynims.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.Rates;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.SimulationSummary;
import io.dynims.simulation.Tick;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The shipped traces with and without report by exception.
 *
 * <p>A capacity agrees if it is no more than the greatest that every sample gave within a
 * heartbeat, and no less than the least, but for the tolerance, and for the dead band of a law that
 * has one: within it, a law leaves the capacity where it happens to be. It may also be less by what
 * one decision changed meanwhile: a tier whose ack tells of a change that the node has not reported
 * waits for the report.
 */
class ReportByExceptionTest {

  private static final Path TRACES = Path.of("../experiments/traces");
  private static final double TOLERANCE = 0.001;
  private static final int HEARTBEAT_TICKS = 5;
  private static final long INTERVAL_MILLIS = 100;

  /** A tier that follows as memory does, a tick of delay. */
  private static final SimulationOptions OPTIONS =
      new SimulationOptions(
          SimulationOptions.Tier.of(new Rates(Rates.parse("10GiB/s"), Rates.parse("2GiB/s"))),
          SimulationOptions.Link.delayed(1, 0),
          0,
          0);

  private record Run(List<Tick> ticks, SimulationSummary summary) {}

  @ParameterizedTest
  @CsvSource({
    "hpcc,Feedback", "hpcc,Forecast",
    "hpcc-recorded,Feedback", "hpcc-recorded,Forecast",
    "noisy,Feedback", "noisy,Forecast",
    "ramp,Feedback", "ramp,Forecast",
    "sawtooth,Feedback", "sawtooth,Forecast",
    "step,Feedback", "step,Forecast"
  })
  void decisionsAgree(String trace, LawType law) throws Exception {
    Run every = run(trace, law, OPTIONS);
    Run exception = run(trace, law, OPTIONS.reportingByException(TOLERANCE));

    double band = law == LawType.Forecast ? ForecastParameters.DEFAULT_DEAD_BAND : 0;
    double above = 0;
    double below = 0;
    for (int i = 0; i < every.ticks().size(); i++) {
      double total = every.ticks().get(i).row().totalBytes();
      above = Math.max(above, (capacity(exception, i) - extreme(every, i, true)) / total);
      double least = extreme(every, i, false);
      below = Math.max(below, (least - capacity(exception, i)) / total);
      assertThat(capacity(exception, i))
          .as("tick %d", i)
          .isGreaterThanOrEqualTo(least - (TOLERANCE + band) * total - greatestStep(every, i));
    }
    System.out.printf(
        Locale.ROOT,
        "%s %s: %d of %d samples sent; capacity above by %.4f, below by %.4f of M; maximum"
            + " utilization %.4f, %.4f; above r0 + 1 %% for %d and %d ms%n",
        trace,
        law,
        sent(exception),
        sent(every),
        above,
        below,
        exception.summary().maxUtilization(),
        every.summary().maxUtilization(),
        exception.summary().aboveThresholdMillis(),
        every.summary().aboveThresholdMillis());

    assertThat(sent(every)).isEqualTo(every.ticks().size());
    assertThat(sent(exception)).isLessThanOrEqualTo(sent(every));
    assertThat(above).isLessThanOrEqualTo(TOLERANCE + band);
    assertThat(exception.summary().maxUtilization())
        .isLessThanOrEqualTo(every.summary().maxUtilization() + TOLERANCE);
    assertThat(exception.summary().aboveThresholdMillis())
        .isLessThanOrEqualTo(every.summary().aboveThresholdMillis() + INTERVAL_MILLIS);
  }

  private static Run run(String trace, LawType law, SimulationOptions options) throws Exception {
    Policy policy = PolicyDocument.read(TRACES.resolve("paper.yaml"), law);
    List<Tick> ticks = new ArrayList<>();
    SimulationSummary summary = new SimulationSummary();
    try (TraceReader rows = TraceReader.open(TRACES.resolve(trace + ".csv"))) {
      rows.run(
          new Simulation(policy, options),
          tick -> {
            ticks.add(tick);
            summary.add(tick);
          });
    }
    return new Run(ticks, summary);
  }

  private static long sent(Run run) {
    return run.summary().totals().sentSamples();
  }

  private static double capacity(Run run, int tick) {
    return run.ticks().get(tick).capacityBytes();
  }

  /** The greatest or least capacity in the ticks within a heartbeat of this one. */
  private static double extreme(Run run, int tick, boolean greatest) {
    int last = Math.min(run.ticks().size() - 1, tick + HEARTBEAT_TICKS);
    double found = capacity(run, tick);
    for (int i = Math.max(0, tick - HEARTBEAT_TICKS); i <= last; i++) {
      found = greatest ? Math.max(found, capacity(run, i)) : Math.min(found, capacity(run, i));
    }
    return found;
  }

  /** By how much one decision changed the capacity at most, within a heartbeat of this tick. */
  private static double greatestStep(Run run, int tick) {
    int last = Math.min(run.ticks().size() - 1, tick + HEARTBEAT_TICKS);
    double step = 0;
    for (int i = Math.max(1, tick - HEARTBEAT_TICKS); i <= last; i++) {
      step = Math.max(step, Math.abs(capacity(run, i) - capacity(run, i - 1)));
    }
    return step;
  }
}
