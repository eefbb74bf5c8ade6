package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.fleet.SharedFleetReport.Run;
import io.dynims.experiments.bench.fleet.SharedFleetReport.Takeover;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedFleetReportTest {

  @TempDir private Path folder;

  @Test
  void aNodeThatNobodyTakesOverFailsTheBenchmark() {
    Outcome outcome = report(new Takeover(millis(1_500, 6), 1, 0, 0));

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("nodes that nobody pushes to after a controller was killed: 1, not 0");
  }

  @Test
  void aSlowTakeoverDoesNot() {
    Outcome outcome = report(new Takeover(millis(9_000, 7), 0, 0, 0));

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("9000 ms");
  }

  private Outcome report(Takeover takeover) {
    Map<String, Double> cores = Map.of("controller", 1.0);
    Run alone = new Run(cores, cores, millis(10, 9), millis(10, 9), 9, 0, null);
    return Commands.report(
        new SharedFleetReport(10, alone, alone.with(takeover)).findings(1), folder);
  }

  private static Percentiles millis(double each, long count) {
    return new Percentiles(each, each, each, each, count);
  }
}
