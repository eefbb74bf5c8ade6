package io.dynims.experiments.bench.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import io.dynims.experiments.bench.Percentiles;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileFindingsTest {

  private static final Percentiles PUSHES = new Percentiles(1, 2, 3, 1, 100);

  @TempDir private Path folder;

  @Test
  void aLoopThatStandsStillBesideHostileClientsFailsTheBenchmark() {
    assertThat(report(PUSHES).exitCode()).isZero();

    Outcome outcome = report(Percentiles.NONE);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("pushes beside hostile clients: 0, not more than 0");
  }

  @Test
  void aSlowOneDoesNot() {
    assertThat(report(new Percentiles(100, 200, 300, 100, 100)).exitCode()).isZero();
  }

  private Outcome report(Percentiles disturbed) {
    HostileBench.Results results =
        new HostileBench.Results(new HostileOptions(10, 1, 1), PUSHES, disturbed, 10, 5, Map.of());
    return Commands.report(new HostileFindings(results).findings(), folder);
  }
}
