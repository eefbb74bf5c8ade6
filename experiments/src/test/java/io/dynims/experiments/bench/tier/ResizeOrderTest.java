package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResizeOrderTest {

  private static final List<StudyCell> CELLS =
      Stream.of(AccessKind.Native, AccessKind.Fuse)
          .flatMap(
              kind ->
                  Stream.of(StudyState.values())
                      .filter(StudyState::isLasting)
                      .map(state -> new StudyCell(kind, false, true, false, 4096, 1, 0, state)))
          .toList();

  @Test
  void theSecondHalfComesInTheOppositeOrder() {
    List<ResizeOrder.Pass> passes = new ArrayList<>(ResizeOrder.before(CELLS));
    passes.addAll(ResizeOrder.withLoop(CELLS, 2));
    passes.addAll(ResizeOrder.after(CELLS, 2));
    List<StudyCell> cells =
        passes.stream().filter(pass -> !pass.isWarmUp()).map(ResizeOrder.Pass::cell).toList();

    List<StudyCell> reversed = new ArrayList<>(cells);
    Collections.reverse(reversed);
    assertThat(cells).isEqualTo(reversed).hasSize(2 * CELLS.size());
    assertThat(passes.stream().filter(pass -> !pass.isWarmUp()).map(ResizeOrder.Pass::id))
        .doesNotHaveDuplicates();
  }

  @Test
  void theLoopRunsInTheMiddleOnly() {
    assertThat(ResizeOrder.withLoop(CELLS, 2))
        .filteredOn(pass -> !pass.isWarmUp())
        .allMatch(pass -> pass.cell().state().law().isPresent());
    assertThat(ResizeOrder.before(CELLS)).noneMatch(p -> p.cell().state().law().isPresent());
    assertThat(ResizeOrder.after(CELLS, 2)).noneMatch(p -> p.cell().state().law().isPresent());
  }

  @Test
  void eachInterfaceIsWarmBeforeItsFirstPass() {
    for (List<ResizeOrder.Pass> phase :
        List.of(
            ResizeOrder.before(CELLS),
            ResizeOrder.withLoop(CELLS, 2),
            ResizeOrder.after(CELLS, 2))) {
      AccessKind warm = null;
      for (ResizeOrder.Pass pass : phase) {
        if (pass.isWarmUp()) {
          warm = pass.cell().kind();
        }
        assertThat(pass.cell().kind()).isEqualTo(warm);
      }
    }
  }

  @Test
  void whatWasMeasuredIsLeftOutWithItsWarmUp() {
    List<ResizeOrder.Pass> passes = ResizeOrder.before(CELLS);

    List<ResizeOrder.Pass> rest =
        ResizeOrder.without(
            passes,
            pass ->
                pass.cell().kind() == AccessKind.Native
                    || pass.cell().state() == StudyState.Undisturbed);

    assertThat(rest).extracting(pass -> pass.cell().kind()).containsOnly(AccessKind.Fuse);
    assertThat(rest.get(0).isWarmUp()).isTrue();
    assertThat(rest).extracting(ResizeOrder.Pass::isWarmUp).containsExactly(true, false, false);
    assertThat(ResizeOrder.without(passes, pass -> true)).isEmpty();
    assertThat(ResizeOrder.without(passes, pass -> false)).isEqualTo(passes);
  }

  @Test
  void oneRoundHasEachStateOnce() {
    List<String> ids = CELLS.stream().flatMap(cell -> ResizeOrder.ids(cell, 1).stream()).toList();
    List<ResizeOrder.Pass> passes = new ArrayList<>(ResizeOrder.before(CELLS));
    passes.addAll(ResizeOrder.withLoop(CELLS, 1));
    passes.addAll(ResizeOrder.after(CELLS, 1));

    assertThat(passes.stream().filter(pass -> !pass.isWarmUp()).map(ResizeOrder.Pass::id))
        .containsExactlyInAnyOrderElementsOf(ids);
  }
}
