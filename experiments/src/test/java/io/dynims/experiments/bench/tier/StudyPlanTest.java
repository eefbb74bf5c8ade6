package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StudyPlanTest {

  private static final StudyOptions OPTIONS =
      new StudyOptions(
          List.of(AccessKind.values()),
          List.of(16 << 10, 10 << 20),
          List.of(1, 4),
          StudyEffort.FULL,
          1L << 30,
          75,
          200);

  @ParameterizedTest
  @EnumSource
  void everyCellHasAnIdOfItsOwn(AccessKind kind) {
    List<StudyCell> cells = StudyPlan.cells(kind, OPTIONS);

    assertThat(cells.stream().map(StudyCell::id)).doesNotHaveDuplicates().isNotEmpty();
    assertThat(cells).allSatisfy(cell -> assertThat(cell.kind()).isEqualTo(kind));
  }

  @ParameterizedTest
  @EnumSource
  void readsAndWritesInBothOrdersAreMeasuredAtRest(AccessKind kind) {
    List<String> series =
        StudyPlan.cells(kind, OPTIONS).stream()
            .filter(cell -> cell.state() == StudyState.Rest && cell.processes() == 4)
            .map(StudyCell::series)
            .toList();

    assertThat(series)
        .contains("sequential read", "random read", "sequential write", "random write");
    assertThat(series.stream().anyMatch(each -> each.startsWith("collective")))
        .isEqualTo(kind.isMpi());
  }

  @Test
  void tiersAreMeasuredWhileTheyAreResized() {
    assertThat(lasting(AccessKind.Native))
        .containsOnly(StudyState.Undisturbed, StudyState.Halved, StudyState.Swinging);
    assertThat(lasting(AccessKind.Tmpfs)).isEmpty();
  }

  @Test
  void filesHaveAHundredBlocksUpToALimit() {
    List<StudyCell> cells =
        StudyPlan.cells(AccessKind.Native, OPTIONS).stream()
            .filter(cell -> !cell.state().isLasting())
            .toList();

    assertThat(cells)
        .allSatisfy(
            cell ->
                assertThat(OPTIONS.count(cell))
                    .isEqualTo(cell.blockBytes() == 16 << 10 ? 100 : 12));
  }

  @ParameterizedTest
  @EnumSource
  void theQuickFormHasSomeOfTheSameCells(AccessKind kind) {
    StudyOptions quick =
        new StudyOptions(
            OPTIONS.kinds(),
            OPTIONS.blockBytes(),
            OPTIONS.processes(),
            StudyEffort.QUICK,
            1L << 28,
            75,
            200);

    assertThat(StudyPlan.cells(kind, OPTIONS)).containsAll(StudyPlan.cells(kind, quick));
    assertThat(StudyPlan.cells(kind, quick)).anyMatch(StudyCell::random);
  }

  @Test
  void filesThatAreReadWhileTheTierIsResizedAreLoadedInLargerParts() {
    StudyCell cell =
        new StudyCell(AccessKind.S3, false, true, false, 100 << 10, 1, StudyState.Halved);

    int together = StudyOptions.together(cell.blockBytes());

    assertThat(together).isEqualTo(8);
    assertThat(OPTIONS.count(cell) % together).isZero();
    assertThat(StudyOptions.together(10 << 20)).isEqualTo(1);
  }

  private static List<StudyState> lasting(AccessKind kind) {
    return StudyPlan.cells(kind, OPTIONS).stream()
        .map(StudyCell::state)
        .filter(StudyState::isLasting)
        .toList();
  }
}
