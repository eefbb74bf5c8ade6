package io.dynims.cli.simulate;

import static io.dynims.cli.simulate.Runs.GB;
import static io.dynims.cli.simulate.Runs.TOTAL_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.Rates;
import io.dynims.simulation.SimulatedHint;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.SimulationSummary;
import io.dynims.simulation.Tick;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A step of half a full tier after 10 s, for 10 s, with a hint 4 s before it and without. */
class HintSimulationTest {

  private static final double THRESHOLD = 0.95;
  private static final long TIER = 60 * GB;
  private static final long JOBS = 58 * GB;
  private static final long STEP = TIER / 2;
  private static final int STEP_ROW = 100;
  private static final int END_ROW = 200;
  private static final int ROWS = 300;
  private static final long HINT_MILLIS = 6_000;
  private static final Rates RATES = new Rates(10L << 30, 2L << 30);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(LawType.class)
  void aStepThatIsAnnouncedCostsNoTimeAboveTheThreshold(LawType law) throws Exception {
    SimulationSummary without = run(law, STEP, List.of());
    SimulationSummary with = run(law, STEP, List.of(hint(STEP)));

    assertThat(without.aboveThresholdMillis()).as("without a hint").isPositive();
    assertThat(without.maxUtilization()).isGreaterThan(1);
    assertThat(with.aboveThresholdMillis()).as("with a hint").isZero();
    assertThat(with.maxUtilization()).isLessThanOrEqualTo(THRESHOLD + slack(law));
  }

  @ParameterizedTest
  @EnumSource(LawType.class)
  void theStepItselfIsNotCountedAgain(LawType law) throws Exception {
    SimulationOptions options = SimulationOptions.IDEAL.withHints(List.of(hint(STEP)));
    List<Tick> ticks = Runs.run(new Simulation(policy(law), options), trace(STEP));

    // During the step the tier has what the jobs leave of the set point.
    long leftBytes = (long) (THRESHOLD * TOTAL_BYTES) - JOBS - STEP;
    assertThat((double) ticks.get(END_ROW - 1).tierBytes())
        .isCloseTo((double) leftBytes, within(slack(law) * TOTAL_BYTES + 1));
    assertThat(ticks.get(END_ROW - 1).decision().hintedBytes()).isNull();
  }

  @ParameterizedTest
  @EnumSource(LawType.class)
  void aHintThatNobodyTakesCostsCacheUntilItExpires(LawType law) throws Exception {
    var wrong = new SimulatedHint(HINT_MILLIS, STEP, 5_000);
    List<Tick> ticks = ticks(law, 0, List.of(wrong));

    assertThat(ticks).allMatch(tick -> tick.utilization() <= THRESHOLD);
    assertThat(ticks.get(STEP_ROW).tierBytes()).isLessThan(TIER - STEP / 2);
    assertThat(ticks.get(ROWS - 1).tierBytes()).as("after it").isGreaterThan(TIER - GB);
  }

  @ParameterizedTest
  @EnumSource(LawType.class)
  void worksWhereOnlyAcksTellWhatTheTierHolds(LawType law) throws Exception {
    var link = new SimulationOptions.Link(1, 1, 0, 1, true);
    SimulationOptions options =
        new SimulationOptions(SimulationOptions.Tier.of(RATES), link, 0, 0)
            .withHints(List.of(hint(STEP)));
    SimulationSummary summary = new SimulationSummary();

    trace(STEP).run(new Simulation(policy(law), options), summary::add);

    assertThat(summary.aboveThresholdMillis()).isZero();
  }

  @Test
  void readsAHint() {
    assertThat(SimulatedHint.parse("at=10s,bytes=2Gi"))
        .isEqualTo(new SimulatedHint(10_000, 2L << 30, 600_000));
    assertThat(SimulatedHint.parse("bytes=1,at=0s,for=5s"))
        .isEqualTo(new SimulatedHint(0, 1, 5_000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "at=1s",
        "bytes=1",
        "at=1s,bytes=0",
        "at=1s,bytes=1,for=0s",
        "at=1s,at=2s,bytes=1",
        "at,bytes=1",
        "when=1s,bytes=1",
        "at=1s,bytes=much"
      })
  void refusesWhatIsNone(String text) {
    assertThatThrownBy(() -> SimulatedHint.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Forecast tolerates its dead band. */
  private static double slack(LawType law) {
    return law == LawType.Forecast ? 0.005 : 1e-9;
  }

  private static SimulatedHint hint(long bytes) {
    return new SimulatedHint(HINT_MILLIS, bytes, 60_000);
  }

  private SimulationSummary run(LawType law, long stepBytes, List<SimulatedHint> hints)
      throws Exception {
    SimulationSummary summary = new SimulationSummary();
    ticks(law, stepBytes, hints).forEach(summary::add);
    return summary;
  }

  private List<Tick> ticks(LawType law, long stepBytes, List<SimulatedHint> hints)
      throws Exception {
    SimulationOptions options =
        new SimulationOptions(
                SimulationOptions.Tier.of(RATES), SimulationOptions.Link.delayed(1, 1), 0, 0)
            .withHints(hints);
    return Runs.run(new Simulation(policy(law), options), trace(stepBytes));
  }

  private Policy policy(LawType law) throws Exception {
    return Runs.policy(folder, "{max: 60G}", "{type: " + law + ", threshold: " + THRESHOLD + "}");
  }

  private static TraceReader trace(long stepBytes) {
    long[] jobs = Runs.constant(ROWS, JOBS);
    Arrays.fill(jobs, STEP_ROW, END_ROW, JOBS + stepBytes);
    return Runs.jobs(TOTAL_BYTES, jobs);
  }
}
