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
          10,
          1_000,
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

  private static List<StudyState> lasting(AccessKind kind) {
    return StudyPlan.cells(kind, OPTIONS).stream()
        .map(StudyCell::state)
        .filter(StudyState::isLasting)
        .toList();
  }
}
