package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepetitionsTest {

  private static final StudyCell CELL =
      new StudyCell(AccessKind.Native, false, true, false, 1 << 20, 2, 0, StudyState.Rest);

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

  @Test
  void hopsAreThoseOfTheSlowestHundredthOfWhatWasWatched() {
    float[] micros = new float[200];
    Arrays.fill(micros, 10);
    List<SlowAccess> slowest =
        List.of(
            new SlowAccess(0, 10, 0, 0, 0, false),
            new SlowAccess(0, 50, 0, 0, 0, true),
            new SlowAccess(0, 90, 0, 80, 0, false));
    repetitions.addWatched(new AccessOutcome(0, 1, 0, micros, slowest, 0, null));

    CellResult result = repetitions.result();

    assertThat(result.hops())
        .containsOnly(
            entry("wait for a processor", 1), entry("worker, stream of another block", 1));
    assertThat(result.slowestHop()).isEqualTo("90.0 µs: wait for a processor");
    // What was watched does not count for the rate.
    assertThat(result.bytes()).isEmpty();
  }

  @Test
  void passesArePutTogether() {
    repetitions.add(List.of(outcome(0, 1, null)));
    CellResult one = repetitions.result().withLeastCapacity(7);
    Repetitions second = new Repetitions(CELL);
    second.add(
        List.of(new AccessOutcome(0, 2, 0, new float[] {40, 40}, List.of(), 1, "access: no")));

    CellResult both = CellResult.ofPasses("both", List.of(one, second.result()));

    assertThat(both.id()).isEqualTo("both");
    assertThat(both.p99Micros()).isEqualTo(30);
    assertThat(both.maxMicros()).isEqualTo(40);
    assertThat(both.meanMicros(1 << 20)).isCloseTo(3e6 / 4, within(1e-6));
    assertThat(both.leastCapacityBytes()).isEqualTo(7);
    assertThat(both.wrong()).isEqualTo(1);
    assertThat(both.error()).isEqualTo("access: no");
    assertThat(Arrays.stream(both.density()).sum()).isEqualTo(4);
  }

  private static AccessOutcome outcome(double around, double seconds, String error) {
    return new AccessOutcome(around, seconds, around, new float[] {10, 20}, List.of(), 0, error);
  }
}
