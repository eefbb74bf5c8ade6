package io.dynims.cli.simulate;

import static io.dynims.cli.simulate.Runs.GB;
import static io.dynims.cli.simulate.Runs.TOTAL_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Policy;
import io.dynims.simulation.Rates;
import io.dynims.simulation.Tick;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which gains settle, by the delay of the loop. */
class SimulatedStabilityTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.3, 0.5, 0.7, 0.9})
  void comesCloserAtEveryTickWithAGainBelowOneAndNoDelay(double gain) throws Exception {
    Policy policy =
        Runs.policy(folder, "{max: 100G}", "{type: Feedback, threshold: 0.95, gain: " + gain + "}");
    // A full tier beside a constant load, first below and then above where it will settle.
    long[] jobs = Runs.constant(200, 60 * GB);
    for (long start : new long[] {50 * GB, 65 * GB}) {
      List<Tick> ticks =
          Runs.run(
              Runs.simulation(policy, Rates.UNLIMITED, 0, start), Runs.jobs(TOTAL_BYTES, jobs));

      double settled = 0.95 * TOTAL_BYTES - 60e9;
      double error = Math.abs(start - settled);
      for (Tick tick : ticks) {
        double next = Math.abs(tick.tierBytes() - settled);
        assertThat(next).isLessThanOrEqualTo(error + 1);
        error = next;
      }
      assertThat(error).isLessThan(100);
    }
  }

  /** A loop with d ticks of delay is stable up to a gain of 2 · sin(π / (4 · d + 2)). */
  @ParameterizedTest
  @CsvSource({"0, 1.95", "1, 0.95", "2, 0.58", "3, 0.42", "5, 0.27"})
  void settlesBelowTheGainThatItsDelayAllows(int delayTicks, double gain) throws Exception {
    assertThat(lateSwingBytes(delayTicks, gain)).isLessThan(1_000_000);
  }

  @ParameterizedTest
  @CsvSource({"1, 1.05", "2, 0.65", "3, 0.47", "5, 0.3", "1, 1.9"})
  void swingsForEverAboveTheGainThatItsDelayAllows(int delayTicks, double gain) throws Exception {
    assertThat(lateSwingBytes(delayTicks, gain)).isGreaterThan(GB);
  }

  /** By how much the tier still changes once a small disturbance is 2,000 ticks ago. */
  private long lateSwingBytes(int delayTicks, double gain) throws Exception {
    Policy policy =
        Runs.policy(folder, "{max: 100G}", "{type: Feedback, threshold: 0.95, gain: " + gain + "}");
    long settled = Math.round(0.95 * TOTAL_BYTES) - 60 * GB;
    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, Rates.UNLIMITED, delayTicks, settled - GB / 10),
            Runs.jobs(TOTAL_BYTES, Runs.constant(2_200, 60 * GB)));
    var late = ticks.subList(2_000, 2_200).stream().mapToLong(Tick::tierBytes).summaryStatistics();
    return late.getMax() - late.getMin();
  }
}
