package io.dynims.experiments.bench.tier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyEstimateTest {

  private static final double HOUR_SECONDS = 3_600;

  @TempDir private Path folder;

  private static StudyOptions options(StudyEffort effort, List<StudyPart> parts) {
    return new StudyOptions(
        parts,
        List.of(AccessKind.values()),
        List.of(16 << 10, 100 << 10, 1 << 20, 10 << 20),
        List.of(1, 2, 4, 8),
        List.of(1, 2, 4),
        effort,
        1L << 30,
        16 << 20,
        75,
        200,
        FuseMount.USUAL,
        false);
  }

  private static double seconds(StudyOptions options) {
    List<StudyCell> cells =
        Stream.of(AccessKind.values())
            .flatMap(
                kind ->
                    Stream.of(
                            StudyPlan.cells(kind, options),
                            StudyPlan.disturbances(kind, options),
                            StudyPlan.nodes(kind, options))
                        .flatMap(List::stream))
            .toList();
    return new StudyEstimate(options).seconds(cells, NetCdfStudy.cells(options));
  }

  @Test
  void theWholeStudyTakesLessThanTwoHoursAndItsLongFormMore() {
    List<StudyPart> all = List.of(StudyPart.values());

    assertThat(seconds(options(StudyEffort.FULL, all))).isBetween(HOUR_SECONDS, 2 * HOUR_SECONDS);
    assertThat(seconds(options(StudyEffort.LONG, all))).isGreaterThan(2 * HOUR_SECONDS);
  }

  @Test
  void partsAddUp() {
    double parts =
        Stream.of(StudyPart.values())
            .mapToDouble(part -> seconds(options(StudyEffort.FULL, List.of(part))))
            .sum();

    assertThat(seconds(options(StudyEffort.FULL, List.of(StudyPart.values()))))
        .isCloseTo(parts, within(1e-6));
  }

  @Test
  void repetitionsEndWhenTheyTakeTooLong() {
    StudyEstimate estimate = new StudyEstimate(options(StudyEffort.FULL, List.of()));

    assertThat(estimate.repetitionsSeconds(0.1)).isCloseTo(1, within(1e-9));
    assertThat(estimate.repetitionsSeconds(1)).isCloseTo(3, within(1e-9));
    assertThat(estimate.repetitionsSeconds(20)).isCloseTo(60, within(1e-9));
  }

  @Test
  void theRestIsEstimatedByWhatWasDone() throws Exception {
    AtomicLong nanos = new AtomicLong();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StudyProgress progress =
        new StudyProgress(
            folder.resolve("journal"), "a", new PrintStream(out, true, UTF_8), nanos::get);
    progress.plan("a", 10);
    progress.plan("b", 30);
    assertThat(progress.left()).isEqualTo("about 40 s left");

    nanos.set(TimeUnit.SECONDS.toNanos(20));
    progress.keep(result("a", null), 10);

    assertThat(progress.left()).isEqualTo("about 60 s left");
    assertThat(out.toString(UTF_8)).contains("a: 1.0 MiB/s");
    assertThat(StudyProgress.duration(7_000)).isEqualTo("about 117 min");
  }

  @Test
  void refusalsAreTriedAgain() throws Exception {
    StudyProgress progress =
        new StudyProgress(
            folder.resolve("journal"),
            "a",
            new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
            System::nanoTime);

    progress.keep(result("a", "open: refused"), 1);

    assertThat(progress.find("a")).isPresent();
    assertThat(progress.found("a")).isEmpty();
  }

  private static CellResult result(String id, String error) {
    return new CellResult(
        id,
        List.of(1L << 20),
        List.of(1.0),
        List.of(1.0),
        1,
        1,
        1,
        new int[0],
        Map.of(),
        "",
        0,
        0,
        error);
  }
}
