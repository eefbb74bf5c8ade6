package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RepetitionsTest {

  private static final StudyCell CELL =
      new StudyCell(AccessKind.Native, false, true, false, 1 << 20, 2, StudyState.Rest);

  private final Repetitions repetitions = new Repetitions(CELL);

  @Test
  void theSlowestProcessCounts() {
    repetitions.add(List.of(outcome(1, 2, null), outcome(2, 4, null)));

    CellResult result = repetitions.result();

    // Two operations of each process.
    assertThat(result.bytes()).containsExactly(4L << 20);
    assertThat(result.rate(result.accessSeconds())).isEqualTo(1);
    assertThat(result.rate(result.allSeconds())).isCloseTo(4 / 8.0, within(1e-9));
  }

  @Test
  void theMedianOfTheRepetitionsIsTold() {
    for (int seconds : new int[] {4, 1, 2}) {
      repetitions.add(List.of(outcome(0, seconds, null)));
    }

    CellResult result = repetitions.result();

    assertThat(result.rate(result.accessSeconds())).isEqualTo(1);
    assertThat(result.p50Micros()).isEqualTo(20);
    assertThat(result.maxMicros()).isEqualTo(20);
    assertThat(result.density()[CellResult.BINS_PER_DECADE * 2]).isEqualTo(3);
  }

  @Test
  void anErrorIsKept() {
    repetitions.add(List.of(outcome(0, 1, null), outcome(0, 1, "open: refused")));

    assertThat(repetitions.hasFailed()).isTrue();
    assertThat(repetitions.result().error()).isEqualTo("open: refused");
  }

  private static AccessOutcome outcome(double around, double seconds, String error) {
    return new AccessOutcome(around, seconds, around, new float[] {10, 20}, 0, error);
  }
}
