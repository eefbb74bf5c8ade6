package io.dynims.experiments.bench.threshold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynims.simulation.Rates;
import io.dynims.simulation.TraceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class InevitableExcessTest {

  private static final long GB = 1_000_000_000L;
  private static final Rates RATES = new Rates(5.0 * GB, 2.0 * GB);

  @Test
  void aLoadThatComesAtOncePassesMemoryByWhatTheTierHolds() {
    // Before: 30 GB and a tier of 60 GB of at most 60; then 100 GB: 35 more than there is.
    assertThat(excess(0.95, millis -> millis < 5_000 ? 30 * GB : 100 * GB)).isEqualTo(35 * GB);
  }

  @Test
  void aLowerThresholdLeavesThatMuchRoom() {
    // Before: 30 GB and a tier of 45 GB below 75; then 100 GB: 20 more than there is.
    assertThat(excess(0.6, millis -> millis < 5_000 ? 30 * GB : 100 * GB)).isEqualTo(20 * GB);
  }

  @Test
  void aRiseNoFasterThanTheStoreFreesUsesTheRoomOfTwoTicks() {
    // 0.4 GB a tick: the tier is two ticks behind, and 0.99 leaves 1.25 GB.
    LongUnaryOperator rise = millis -> 65 * GB + Math.min(40, millis / 100) * 4 * GB / 10;

    assertThat(excess(0.99, rise)).isZero();
    assertThat(excess(1, rise)).isEqualTo(8 * GB / 10);
  }

  @Test
  void aRiseFasterThanTheStoreFreesPassesTheDifferenceLessTheRoom() {
    // At first 65 GB and a tier of 53.75. The load rises by 1 GB a tick for 40 ticks. Row 1 is the
    // first to show it, so 0.5 GB a tick are freed from the tick of row 2 on: 19 GB until row 40.
    long excess = excess(0.95, millis -> 65 * GB + Math.min(40, millis / 100) * GB);

    assertThat((double) excess).isCloseTo(14.75 * GB, within(0.001 * GB));
  }

  @Test
  void doesNotKnowTheFuture() {
    // The load is away for 20 ticks. Two ticks behind, the tier fills 0.2 GB in each of as many.
    long excess = excess(1, millis -> millis < 5_000 || millis >= 7_000 ? 100 * GB : 60 * GB);

    assertThat((double) excess).isCloseTo(4.0 * GB, within(0.001 * GB));
  }

  @Test
  void aLoadAtRestPassesNothing() {
    assertThat(excess(0.95, millis -> 80 * GB)).isZero();
    assertThat(excess(1, millis -> 80 * GB)).isZero();
  }

  private static long excess(double threshold, LongUnaryOperator jobBytes) {
    List<TraceRow> rows = new ArrayList<>();
    for (long millis = 0; millis < 15_000; millis += 100) {
      rows.add(new TraceRow(millis, jobBytes.applyAsLong(millis), 125 * GB));
    }
    return InevitableExcess.bytes(rows, RATES, 60 * GB, threshold);
  }
}
