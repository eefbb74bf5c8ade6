package io.dynims.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedbackLawTest {

  private static final long GB = 1_000_000_000L;
  private static final long TIB_64 = 64L << 40;

  /** Table I of the paper. */
  private static final LawParameters TABLE_1 = new LawParameters(0.95, 0.5, 0, 60 * GB);

  @ParameterizedTest
  @CsvSource({
    // u GB, v bytes, u[i+1] bytes, by hand: u − 0.5 · v · (v / 125e9 − 0.95) / 0.95
    "60, 125000000000, 56710526316, Shrink, None",
    "60, 118750000000, 60000000000, Hold,   None",
    "30, 100000000000, 37894736842, Grow,   None",
    "60, 100000000000, 60000000000, Hold,   Max",
    "1,  125000000000, 0,           Shrink, Min",
    "0,  125000000000, 0,           Hold,   Min",
    "30, 0,            30000000000, Hold,   None"
  })
  void reproducesTableOne(
      long capacityGb, long usedBytes, long expectedBytes, Action action, Limit limit) {
    CapacityDecision decision =
        new FeedbackLaw(TABLE_1)
            .decide(input(capacityGb * GB, usedBytes, 125 * GB), new NodeModel());

    assertThat(decision.desiredBytes()).isEqualTo(expectedBytes);
    assertThat(decision.action()).isEqualTo(action);
    assertThat(decision.limitedBy()).isEqualTo(limit);
  }

  @Test
  void explainsItself() {
    CapacityDecision decision =
        new FeedbackLaw(TABLE_1).decide(input(60 * GB, 125 * GB, 125 * GB), new NodeModel());

    assertThat(decision.reason())
        .isEqualTo(
            "utilization 1.0000 is above the threshold 0.9500: shrinking by 3289473684 bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "0,    utilization 0.0000 is below the threshold 0.9500: holding",
    "7,    utilization 0.0070 is below the threshold 0.9500: growing by 3 bytes",
    "950,  utilization 0.9500 is at the threshold 0.9500: holding",
    "12345, utilization 12.3450 is above the threshold 0.9500: shrinking by 40 bytes; the law would go below the minimum"
  })
  void writesRatiosWithFourDecimals(long usedBytes, String expected) {
    CapacityDecision decision =
        new FeedbackLaw(TABLE_1).decide(input(40, usedBytes, 1_000), new NodeModel());

    assertThat(decision.reason()).isEqualTo(expected);
  }

  @Property
  void staysWithinItsBounds(
      @ForAll("parameters") LawParameters parameters, @ForAll("inputs") LawInput input) {
    CapacityDecision decision = new FeedbackLaw(parameters).decide(input, new NodeModel());

    assertThat(decision.desiredBytes()).isBetween(parameters.minBytes(), parameters.maxBytes());
    assertThat(decision.stepBytes()).isFinite();
    assertThat(decision.input().utilization()).isFinite().isNotNegative();
  }

  @Property
  void neverGrowsAboveTheThresholdNorShrinksBelowIt(
      @ForAll("parameters") LawParameters parameters, @ForAll("inputs") LawInput any) {
    long within =
        Math.max(parameters.minBytes(), Math.min(parameters.maxBytes(), any.capacityBytes()));
    LawInput input = input(within, any.memoryUsedBytes(), any.memoryTotalBytes());

    Action action = new FeedbackLaw(parameters).decide(input, new NodeModel()).action();

    if (input.utilization() > parameters.threshold()) {
      assertThat(action).isNotEqualTo(Action.Grow);
    } else if (input.utilization() < parameters.threshold()) {
      assertThat(action).isNotEqualTo(Action.Shrink);
    } else {
      assertThat(action).isEqualTo(Action.Hold);
    }
  }

  @Property
  void theActionTellsWhereTheCapacityWent(
      @ForAll("parameters") LawParameters parameters, @ForAll("inputs") LawInput input) {
    CapacityDecision decision = new FeedbackLaw(parameters).decide(input, new NodeModel());

    assertThat(Long.signum(decision.desiredBytes() - input.capacityBytes()))
        .isEqualTo(
            switch (decision.action()) {
              case Grow -> 1;
              case Shrink -> -1;
              case Hold -> 0;
            });
  }

  @Property
  void convergesOnAFullTier(
      @ForAll @DoubleRange(min = 0.05, max = 1.95) double gain,
      @ForAll @DoubleRange(min = 0.5, max = 0.99) double threshold,
      @ForAll @DoubleRange(min = -0.01, max = 0.01) double startError,
      @ForAll @LongRange(min = 1L << 30, max = TIB_64) long totalBytes) {
    double error = errorAfter(400, gain, threshold, startError, totalBytes);

    assertThat(error).isCloseTo(0, within(1e-6));
  }

  @Property
  void isDeadBeatAtAGainOfOne(
      @ForAll @DoubleRange(min = 0.5, max = 0.99) double threshold,
      @ForAll @DoubleRange(min = -0.01, max = 0.01) double startError,
      @ForAll @LongRange(min = 1L << 30, max = TIB_64) long totalBytes) {
    // One step leaves the square of the error only: (v/M)² / r0 − v/M around r0.
    assertThat(errorAfter(1, 1.0, threshold, startError, totalBytes))
        .isCloseTo(-startError * startError / threshold, within(1e-8));
  }

  @Property
  void isDrivenAwayFromTheThresholdAboveAGainOfTwo(
      @ForAll @DoubleRange(min = 2.1, max = 4) double gain,
      @ForAll @DoubleRange(min = 0.5, max = 0.99) double threshold,
      @ForAll @LongRange(min = 1L << 30, max = TIB_64) long totalBytes) {
    // The error grows by at least 1.1 a tick; later, held by the bounds, it may pass 0 at times.
    double largest = 0;
    for (int ticks = 1; ticks <= 60; ticks++) {
      largest = Math.max(largest, Math.abs(errorAfter(ticks, gain, threshold, 1e-4, totalBytes)));
    }
    assertThat(largest).isGreaterThan(1e-3);
  }

  @ParameterizedTest
  @CsvSource({
    "0,    0.5, 0, 1, threshold: 0.0",
    "1,    0.5, 0, 1, threshold: 1.0",
    "NaN,  0.5, 0, 1, threshold: NaN",
    "0.95, 0,   0, 1, gain: 0.0",
    "0.95, 2.1, 0, 1, gain: 2.1",
    "0.95, NaN, 0, 1, gain: NaN",
    "0.95, 0.5, -1, 1, minBytes: -1",
    "0.95, 0.5, 2, 1, 'maxBytes: 1 is below minBytes, 2'"
  })
  void refusesParametersOutOfRange(
      double threshold, double gain, long minBytes, long maxBytes, String expected) {
    assertThatThrownBy(() -> new LawParameters(threshold, gain, minBytes, maxBytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0, 0, capacityBytes",
    "0, -1, 0, 0, usedBytes",
    "0, 0, -1, 0, memoryUsedBytes",
    "0, 0, 0, -1, memoryTotalBytes"
  })
  void refusesNegativeInputs(long capacity, long tierUsed, long used, long total, String expected) {
    assertThatThrownBy(() -> new LawInput(capacity, tierUsed, used, total, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(expected + ": -1 is ");
  }

  /**
   * The utilization's distance from the threshold after some ticks of a full tier beside a constant
   * load, so that v moves with u. Uses the bare step: parameters refuse a gain above 2.
   */
  private static double errorAfter(
      int ticks, double gain, double threshold, double startError, long totalBytes) {
    double total = (double) totalBytes;
    double loadBytes = total * 0.3;
    double capacity = total * (threshold + startError) - loadBytes;
    for (int i = 0; i < ticks; i++) {
      double used = Math.max(0, Math.min(total, loadBytes + capacity));
      LawInput input = input(Math.round(capacity), Math.round(used), totalBytes);
      double next = capacity - FeedbackLaw.stepBytes(input, threshold, gain);
      capacity = Math.max(0, Math.min(total, next));
    }
    return (loadBytes + capacity) / total - threshold;
  }

  @Provide
  Arbitrary<LawParameters> parameters() {
    Arbitrary<Long> bytes = Arbitraries.longs().between(0, TIB_64);
    return Combinators.combine(
            Arbitraries.doubles().between(0, false, 1, false).ofScale(6),
            Arbitraries.doubles().between(0, false, 2, true).ofScale(6),
            bytes,
            bytes)
        .as((r0, gain, a, b) -> new LawParameters(r0, gain, Math.min(a, b), Math.max(a, b)));
  }

  @Provide
  Arbitrary<LawInput> inputs() {
    Arbitrary<Long> bytes = Arbitraries.longs().between(0, TIB_64);
    return Combinators.combine(bytes, bytes, bytes).as(FeedbackLawTest::input);
  }

  /** Equation 1 looks neither at what the tier holds nor at the time. */
  private static LawInput input(long capacityBytes, long usedBytes, long totalBytes) {
    return new LawInput(capacityBytes, 0, usedBytes, totalBytes, 0);
  }
}
