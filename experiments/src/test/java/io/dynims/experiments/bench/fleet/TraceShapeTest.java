package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.cli.stack.StackException;
import io.dynims.simulation.TraceRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceShapeTest {

  private static final Path HPCC = Path.of("traces/hpcc.csv");

  @TempDir private Path folder;

  @Test
  void aNodeRepeatsTheTraceScaledToItsMemory() {
    List<TraceRow> rows =
        List.of(
            new TraceRow(5_000, 250, 1_000),
            new TraceRow(5_100, 500, 1_000),
            new TraceRow(5_300, 0, 1_000),
            new TraceRow(5_400, 0, 1_000));
    TraceShape shape = new TraceShape(rows, 1, 1);
    long quarter = ModelNodes.TOTAL_BYTES / 4;

    StringBuilder seen = new StringBuilder();
    for (long now = 0; now < 1_200; now += 100) {
      seen.append(shape.jobBytes(0, now) / quarter);
    }

    assertThat(seen.toString()).contains("1220" + "1220").hasSize(12);
  }

  @Test
  void theNodesOfAFleetAreInAllPhasesAtOnce() throws Exception {
    TraceShape shape = TraceShape.read(HPCC, 500, 1);
    TreeSet<Long> gigabytes = new TreeSet<>();
    for (int node = 0; node < 500; node++) {
      gigabytes.add(shape.jobBytes(node, 1_700_000_000_000L) / 10_000_000_000L);
    }

    assertThat(gigabytes).contains(0L, 2L, 4L, 7L);
  }

  @Test
  void refusesWhatIsNoTrace() throws Exception {
    Path one = Files.writeString(folder.resolve("one.csv"), "0,1,2\n");
    Path none = Files.writeString(folder.resolve("none.csv"), "a,b,c\n");

    assertThatThrownBy(() -> TraceShape.read(one, 1, 1))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("fewer than two rows");
    assertThatThrownBy(() -> TraceShape.read(none, 1, 1))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("is not a whole number");
  }
}
