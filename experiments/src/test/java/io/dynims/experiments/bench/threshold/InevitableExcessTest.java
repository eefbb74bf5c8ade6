package io.dynims.experiments.bench.threshold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynims.cli.simulate.Rates;
import io.dynims.cli.simulate.TraceRow;
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
    assertThat(excess(millis -> millis < 5_000 ? 30 * GB : 100 * GB)).isEqualTo(35 * GB);
  }

  @Test
  void aRiseNoFasterThanTheStoreFreesPassesNothingIfThereWasRoom() {
    assertThat(excess(millis -> 30 * GB + millis * GB / 250)).isZero();
  }

  @Test
  void aRiseFasterThanTheStoreFreesPassesTheDifference() {
    // All of M is used at first: 65 GB and 60. The load rises by 1 GB a tick for 40 ticks; the
    // store
    // frees half of that, from the tick of row 2 on, which knows the sample of row 1. At row 40 the
    // load is 40 GB above, and 38 / 2 are freed.
    long excess = excess(millis -> 65 * GB + Math.min(40, millis / 100) * GB);

    assertThat((double) excess).isCloseTo(21.0 * GB, within(0.001 * GB));
  }

  @Test
  void aLoadAtRestPassesNothing() {
    assertThat(excess(millis -> 80 * GB)).isZero();
  }

  private static long excess(LongUnaryOperator jobBytes) {
    List<TraceRow> rows = new ArrayList<>();
    for (long millis = 0; millis < 15_000; millis += 100) {
      rows.add(new TraceRow(millis, jobBytes.applyAsLong(millis), 125 * GB));
    }
    return InevitableExcess.bytes(rows, RATES, 60 * GB);
  }
}
