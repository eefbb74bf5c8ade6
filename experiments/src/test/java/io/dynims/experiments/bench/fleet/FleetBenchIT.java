package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackHome;
import io.dynims.experiments.bench.BenchStack;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a real broker, job and controller; their jars must be built. */
@Tag("long")
class FleetBenchIT {

  private static final int NODES = 5;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void theSamplesOfEveryNodeLeadToPushesAndAcks(boolean ownConnections) throws Exception {
    StackHome home = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    FleetLoad load = new FleetLoad(null, null, false, ownConnections);
    FleetReport report;
    BenchStack stack = new BenchStack(home, Map.of(), false, System.out);
    try (stack) {
      report = new FleetBench(stack, load, System.out).run(NODES, 5, 5);
    }

    assertThat(report.nodes()).isEqualTo(NODES);
    assertThat(report.sampleConnections()).isEqualTo(ownConnections ? NODES : 1);
    assertThat(report.samples()).isPositive();
    assertThat(report.missedTicks()).isLessThan(report.samples());
    assertThat(report.sampleToAckMillis().count()).isPositive();
    assertThat(report.sampleToInForceMillis().count()).isPositive();
    assertThat(report.servedSeconds()).isPositive();
    assertThat(report.cpuCores())
        .containsOnlyKeys("kafka", "flink", "controller", "generator", "machine");
    assertThat(report.rssBytes().values()).allMatch(bytes -> bytes > 0);
    assertThat(stack.stack().isUp()).isFalse();
  }
}
