package io.dynims.experiments.bench.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All of its goals are figures: it fails if it cannot measure. */
class LawBenchTest {

  @TempDir private Path project;

  @Test
  void whatCannotBeMeasuredFailsIt() {
    Outcome outcome = Commands.run(project, project.resolve("home"), "bench", "law");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("dynims-jmh.jar is missing");
  }
}
