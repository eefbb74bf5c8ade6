package io.dynims.experiments.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackStore;
import io.dynims.core.law.LawType;
import io.dynims.experiments.bench.BenchOutputs;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the whole stack on real parts; their jars must be built. */
@Tag("long")
class ControlBenchIT {

  @TempDir private Path folder;

  @Test
  void measuresALoadUnderEachLawAndLeavesNothingRunning() throws Exception {
    StackHome home = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    BenchStack stack = new BenchStack(home, Map.of("DYNIMS_TIER_MAX", "512Mi"), false, System.out);
    Path tier = stack.home().tier(stack.settings().tierParent());
    ControlOptions options =
        new ControlOptions(
            StackStore.Alluxio, List.of(LawType.values()), List.of(ControlLoad.HalfEmpty), 1, true);
    JsonNode json;
    try (stack) {
      Findings findings = new ControlBench(stack, options, System.out).run();
      json = BenchOutputs.json("control", findings, home.project());
    }

    for (LawType law : LawType.values()) {
      for (ControlLoad load : options.loads()) {
        JsonNode figures = json.path("laws").path(law.toString()).path(load.key());
        assertThat(figures.path("peakUtilization").asDouble()).isPositive();
        assertThat(figures.path("settleMillis").isIntegralNumber()).isTrue();
        assertThat(figures.path("meanUsedBytes").asLong()).isPositive();
        assertThat(figures.path("readsCorrect").asLong()).isPositive();
        assertThat(figures.path("readsWrong").asLong()).isZero();
        assertThat(figures.path("decisions").asLong()).isPositive();
        assertThat(figures.path("acks").asLong()).isPositive();
      }
    }
    assertThat(stack.stack().isUp()).isFalse();
    assertThat(tier).doesNotExist();
    assertThat(stack.home().state().resolve("ufs")).doesNotExist();
  }
}
