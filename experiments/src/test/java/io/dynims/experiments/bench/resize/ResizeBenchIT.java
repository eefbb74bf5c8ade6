package io.dynims.experiments.bench.resize;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.stack.StackHome;
import io.dynims.experiments.bench.BenchOutputs;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real Alluxio and a real adapter; their jars must be built. */
@Tag("long")
class ResizeBenchIT {

  @TempDir private Path folder;

  @Test
  void reportsEveryFigureAsOneJsonObjectAndLeavesNothingRunning() throws Exception {
    StackHome home = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    BenchStack stack = new BenchStack(home, Map.of("DYNIMS_TIER_MAX", "256Mi"), false, System.out);
    Path tier = stack.home().tier(stack.settings().tierParent());
    JsonNode json;
    try (stack) {
      Findings findings =
          new ResizeBench(stack, new ResizeOptions(1, List.of(8L << 20)), System.out).run();
      json = BenchOutputs.json("resize", findings, home.project());
    }

    assertThat(json.path("freedBytesPerSecond").asDouble()).isPositive();
    assertThat(json.path("limitBytesPerSecond").asDouble()).isPositive();
    assertThat(json.path("ratio").asDouble()).isPositive();
    assertThat(json.path("readMillisP99").path("rest").asDouble()).isPositive();
    assertThat(json.path("readMillisP99").path("resizing").asDouble()).isPositive();
    assertThat(json.path("readsWrong").asLong()).isZero();
    assertThat(json.path("shrinkMillis").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("10", "50", "100");
    assertThat(json.path("slices")).hasSize(2);
    assertThat(json.path("provenance").path("versions").has("Alluxio")).isTrue();
    assertThat(stack.stack().isUp()).isFalse();
    assertThat(tier).doesNotExist();
    assertThat(tier.resolveSibling(tier.getFileName() + "-limit")).doesNotExist();
    assertThat(stack.home().state().resolve("ufs")).doesNotExist();
  }
}
