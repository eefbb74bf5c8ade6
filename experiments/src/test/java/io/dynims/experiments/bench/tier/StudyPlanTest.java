package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StudyPlanTest {

  private static final StudyOptions OPTIONS = options(StudyEffort.FULL);

  private static StudyOptions options(StudyEffort effort) {
    return new StudyOptions(
        List.of(StudyPart.values()),
        List.of(AccessKind.values()),
        List.of(16 << 10, 10 << 20),
        List.of(1, 4, 8),
        List.of(1, 2, 4),
        effort,
        1L << 30,
        16 << 20,
        75,
        200,
        FuseMount.USUAL,
        false);
  }

  private static List<StudyCell> all(AccessKind kind, StudyOptions options) {
    return Stream.of(
            StudyPlan.cells(kind, options),
            StudyPlan.disturbances(kind, options),
            StudyPlan.nodes(kind, options))
        .flatMap(List::stream)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void everyCellHasAnIdOfItsOwn(AccessKind kind) {
    List<StudyCell> cells = all(kind, OPTIONS);

    assertThat(cells.stream().map(StudyCell::id)).doesNotHaveDuplicates().isNotEmpty();
    assertThat(cells).allSatisfy(cell -> assertThat(cell.kind()).isEqualTo(kind));
  }

  @ParameterizedTest
  @EnumSource
  void readsAndWritesInBothOrdersAreMeasuredAtRest(AccessKind kind) {
    List<String> series =
        StudyPlan.cells(kind, OPTIONS).stream()
            .filter(cell -> cell.state() == StudyState.Rest && cell.processes() == 8)
            .map(StudyCell::series)
            .toList();

    assertThat(series)
        .contains("sequential read", "random read", "sequential write", "random write");
    assertThat(series.stream().anyMatch(each -> each.startsWith("collective")))
        .isEqualTo(kind.isMpi());
  }

  @Test
  void slowInterfacesHaveTheFewestAndTheMostProcesses() {
    assertThat(processes(AccessKind.UnderStore, OPTIONS)).containsOnly(1, 8);
    assertThat(processes(AccessKind.Native, OPTIONS)).containsOnly(1, 4, 8);
    assertThat(processes(AccessKind.UnderStore, options(StudyEffort.LONG))).containsOnly(1, 4, 8);
    assertThat(StudyPlan.cells(AccessKind.MpiIo, OPTIONS))
        .anyMatch(cell -> !cell.write() && cell.processes() == 4)
        .noneMatch(cell -> cell.write() && cell.processes() == 4);
  }

  @Test
  void tiersAreMeasuredWhileTheyAreResizedByPushesAndByBothLaws() {
    for (AccessKind kind :
        List.of(AccessKind.Native, AccessKind.Fuse, AccessKind.S3, AccessKind.MpiIo)) {
      assertThat(StudyPlan.disturbances(kind, OPTIONS).stream().map(StudyCell::state))
          .contains(
              StudyState.Undisturbed,
              StudyState.Halved,
              StudyState.Swinging,
              StudyState.CalmForecast,
              StudyState.CalmFeedback,
              StudyState.BurstForecast,
              StudyState.BurstFeedback);
    }
    assertThat(StudyPlan.disturbances(AccessKind.Tmpfs, OPTIONS)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anInterfaceIsMeasuredOnSeveralNodesOrItIsToldWhyNot(AccessKind kind) {
    assertThat(StudyPlan.nodes(kind, OPTIONS).isEmpty())
        .isEqualTo(StudyPlan.whyNoNodes(kind).isPresent());
  }

  @Test
  void onlyTheWantedPartsAreMeasured() {
    StudyOptions rest =
        new StudyOptions(
            List.of(StudyPart.Rest),
            List.of(AccessKind.Native),
            OPTIONS.blockBytes(),
            OPTIONS.processes(),
            OPTIONS.nodes(),
            StudyEffort.FULL,
            1L << 30,
            16 << 20,
            75,
            200,
            FuseMount.USUAL,
            false);

    assertThat(StudyPlan.cells(AccessKind.Native, rest)).isNotEmpty();
    assertThat(StudyPlan.disturbances(AccessKind.Native, rest)).isEmpty();
    assertThat(StudyPlan.nodes(AccessKind.Native, rest)).isEmpty();
    assertThat(StudyPlan.cells(AccessKind.Tmpfs, rest)).isEmpty();
  }

  @Test
  void filesHaveAHundredBlocksUpToALimit() {
    for (StudyCell cell : StudyPlan.cells(AccessKind.Native, OPTIONS)) {
      int count = OPTIONS.count(cell);
      if (cell.blockBytes() == 16 << 10) {
        assertThat(count).isEqualTo(100);
      } else {
        // The tier holds the files of all processes.
        assertThat(count).isEqualTo(cell.processes() == 8 ? 3 : 6);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theQuickFormHasSomeOfTheSameCells(AccessKind kind) {
    StudyOptions quick = options(StudyEffort.QUICK);

    assertThat(all(kind, OPTIONS)).containsAll(all(kind, quick));
    assertThat(all(kind, quick)).anyMatch(StudyCell::random);
  }

  @Test
  void filesThatAreReadWhileTheTierIsResizedAreLoadedInLargerParts() {
    StudyCell cell =
        new StudyCell(AccessKind.S3, false, true, false, 100 << 10, 1, 0, StudyState.Halved);

    int together = StudyOptions.together(cell.blockBytes());

    assertThat(together).isEqualTo(8);
    assertThat(OPTIONS.count(cell) % together).isZero();
    assertThat(StudyOptions.together(10 << 20)).isEqualTo(1);
  }

  @Test
  void resultsThatCannotBeMixedAreInFilesOfTheirOwn() {
    assertThat(
            Stream.of(
                    OPTIONS,
                    options(StudyEffort.LONG),
                    options(StudyEffort.QUICK),
                    with(64 << 20, FuseMount.USUAL),
                    with(16 << 20, new FuseMount("direct_io,max_read=65536", 0)),
                    with(16 << 20, new FuseMount(FuseMount.USUAL_OPTIONS, 1 << 20)))
                .map(each -> each.journalName("study")))
        .doesNotHaveDuplicates()
        .allSatisfy(name -> assertThat(name).matches("study-[A-Za-z0-9=_.:+-]+\\.jsonl"));
  }

  private static StudyOptions with(long alluxioBlockBytes, FuseMount mount) {
    return new StudyOptions(
        OPTIONS.parts(),
        OPTIONS.kinds(),
        OPTIONS.blockBytes(),
        OPTIONS.processes(),
        OPTIONS.nodes(),
        StudyEffort.FULL,
        1L << 30,
        alluxioBlockBytes,
        75,
        200,
        mount,
        false);
  }

  private static List<Integer> processes(AccessKind kind, StudyOptions options) {
    return StudyPlan.cells(kind, options).stream().map(StudyCell::processes).toList();
  }
}
