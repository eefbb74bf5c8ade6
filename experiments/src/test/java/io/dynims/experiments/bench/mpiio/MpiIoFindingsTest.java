package io.dynims.experiments.bench.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MpiIoFindingsTest {

  private static final String NAMES = "programs whose result depends on the cache: ";

  @TempDir private Path folder;
  private final List<MpiIoMeasurement> measurements = new ArrayList<>();

  @Test
  void theSameBytesHold() {
    add("walk 10", MpiIoSetup.PLAIN, 100, "7");
    add("walk 10", MpiIoSetup.CACHED, 100, "7");

    assertThat(report().exitCode()).isZero();
  }

  @Test
  void otherBytesWithTheCacheFailTheBenchmark() {
    add("walk 10", MpiIoSetup.PLAIN, 100, "7");
    add("walk 10", MpiIoSetup.CACHED, 100, "8");

    assertBroken("1 of 1");
  }

  @Test
  void soDoOtherBytesOfARunThatIsNotTheMedian() {
    add("walk 10", MpiIoSetup.PLAIN, 100, "7");
    add("walk 10", MpiIoSetup.CACHED, 100, "7", "8", "7");

    assertBroken("1 of 1");
  }

  @Test
  void soDoThoseOfAFileThatIsCutOverNodes() {
    add("nodes 2", MpiIoSetup.PLAIN, 100, "7");
    add("nodes 2", MpiIoSetup.CACHED, 100, "7");
    add("nodes 2 cut", MpiIoSetup.CACHED, 100, "8");

    assertBroken("1 of 2");
  }

  @Test
  void runsOfOtherLengthsAreComparedWithEachOtherOnly() {
    add("walk 10", MpiIoSetup.PLAIN, 100, "7");
    add("walk 10", MpiIoSetup.CACHED, 100, "7");
    add("fits", MpiIoSetup.PLAIN, 300, "1");
    add("fits", MpiIoSetup.CACHED, 20_000, "2", "2");
    assertThat(report().exitCode()).isZero();

    add("ranks 2", MpiIoSetup.CACHED, 20_000, "2", "3");
    assertBroken("1 of 1");
  }

  @Test
  void nothingComparedFailsItToo() {
    assertBroken("0 of 0");
  }

  private void assertBroken(String measured) {
    Outcome outcome = report();
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains(NAMES + measured);
  }

  private void add(String name, MpiIoSetup setup, long accesses, String... checksums) {
    MpiIoRun run =
        new MpiIoRun(
            "p", 1, 0, 1, 0, accesses, 1, 1, 1, checksums[0], 0, new int[3], 0, new int[0]);
    measurements.add(new MpiIoMeasurement(name, setup, run, Set.copyOf(List.of(checksums))));
  }

  private Outcome report() {
    MpiIoOptions options =
        new MpiIoOptions("mpich", List.of(1), List.of(1, 2), 1 << 20, 75, 200, 1);
    return Commands.report(new MpiIoFindings(options, false, measurements).findings(), folder);
  }
}
