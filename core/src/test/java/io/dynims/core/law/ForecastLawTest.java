package io.dynims.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForecastLawTest {

  private static final double R0 = 0.95;
  private static final long TOTAL = ForecastLoop.TOTAL_BYTES;
  private static final long SET_POINT = (long) (R0 * TOTAL);
  private static final long BAND = (long) (ForecastParameters.DEFAULT_DEAD_BAND * TOTAL);

  @Test
  void aStepIsAnsweredAtOnceByAllThatIsMissing() {
    ForecastLoop loop = ForecastLoop.at(R0, 1_500_000);
    loop.ticks(5, SET_POINT - 1_500_000);

    CapacityDecision decision = loop.tick(SET_POINT - 1_500_000 + 400_000).decision();

    assertThat(decision.action()).isEqualTo(Action.Shrink);
    assertThat(decision.desiredBytes()).isBetween(1_100_000 - 2 * BAND, 1_100_000L);
    assertThat(decision.limitedBy()).isEqualTo(Limit.None);
    assertThat(decision.forecast().jobBytes()).isEqualTo(SET_POINT - 1_100_000);
  }

  @Test
  void aRampIsMetWhereItWillBe() {
    ForecastLoop loop = ForecastLoop.at(R0, 1_500_000);
    loop.delayTicks = 1;
    long jobBytes = SET_POINT - 1_500_000;
    loop.ticks(5, jobBytes);
    for (int i = 0; i < 20; i++) {
      jobBytes += 32_000;
      loop.tick(jobBytes);
    }

    Forecast forecast = loop.tick(jobBytes + 32_000).decision().forecast();

    assertThat(forecast.jobAheadBytes()).isEqualTo(forecast.jobBytes() + 48_000);
    // It takes two samples to tell a ramp from a step.
    assertThat(loop.all().subList(8, 26))
        .allSatisfy(t -> assertThat(t.utilization()).isLessThan(0.96));
  }

  @Test
  void capacityThatTheTierDoesNotHoldDoesNotDelayTheAnswer() {
    ForecastLoop loop = ForecastLoop.at(R0, ForecastLoop.MAX_BYTES);
    loop.demandBytes = 752_000;
    loop.ticks(20, 1_500_000);
    assertThat(loop.capacityBytes()).isLessThanOrEqualTo(752_000 + TOTAL / 10 + BAND);

    long jobBytes = 1_500_000;
    for (int i = 0; i < 17; i++) {
      jobBytes += 100_000;
      loop.tick(jobBytes);
    }

    assertThat(loop.all()).allSatisfy(t -> assertThat(t.utilization()).isLessThan(0.96));
  }

  @Test
  void growsWhenThereWasRoomForTheSettleTimeAndThenByAPart() {
    ForecastLoop loop = ForecastLoop.at(R0, 500_000);
    loop.ticks(5, SET_POINT - 500_000);
    long jobBytes = SET_POINT - 900_000;

    CapacityDecision first = loop.tick(jobBytes).decision();
    CapacityDecision second = loop.tick(jobBytes).decision();
    loop.ticks(4, jobBytes);

    assertThat(first.action()).isEqualTo(Action.Hold);
    assertThat(first.limitedBy()).isEqualTo(Limit.Settling);
    assertThat(second.desiredBytes()).isEqualTo(800_000);
    assertThat(loop.capacityBytes()).isBetween(900_000 - BAND, 900_000L);
  }

  /** Samples were lost, or none came for a minute. */
  @ParameterizedTest
  @ValueSource(longs = {200, 300, 60_000})
  void oneSampleDoesNotShowForHowLongThereHasBeenRoom(long gapMillis) {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    long full = SET_POINT - 500_000;
    law.decide(new LawInput(500_000, 500_000, full + 500_000, TOTAL, 100), model);
    law.decide(new LawInput(500_000, 500_000, full + 500_000, TOTAL, 200), model);
    long at = 200 + gapMillis;

    var first = law.decide(new LawInput(500_000, 500_000, full, TOTAL, at), model);
    var second = law.decide(new LawInput(500_000, 500_000, full, TOTAL, at + 100), model);

    assertThat(first.limitedBy()).isEqualTo(Limit.Settling);
    assertThat(second.action()).isEqualTo(Action.Grow);
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 100, 10_000, 3_600_000})
  void growsWhateverTheInterval(long intervalMillis) {
    ForecastLaw law = law(ForecastParameters.defaults(intervalMillis));
    NodeModel model = new NodeModel();
    CapacityDecision decision = null;
    for (int i = 0; i < 5; i++) {
      long millis = 1_000_000 + i * intervalMillis;
      decision = law.decide(new LawInput(500_000, 500_000, 1_000_000, TOTAL, millis), model);
    }

    assertThat(decision.action()).isEqualTo(Action.Grow);
  }

  @Test
  void hintsAreToldOnce() {
    ForecastLaw law = law(defaults());
    var input = hinted(1_000_000, 70_000, 1);

    assertThat(law.decide(input, new NodeModel()).reason())
        .contains("jobs hold 500000 bytes, hints announce 70000 bytes");
  }

  @Test
  void whatIsAnnouncedIsNoRise() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    for (int i = 0; i < 5; i++) {
      long announced = 100_000L * Math.min(i, 3);
      var decision = law.decide(hinted(1_000_000, announced, i), model);
      assertThat(decision.forecast().jobAheadBytes()).isEqualTo(500_000 + announced);
    }

    long taken = law.decide(hinted(1_200_000, 100_000, 5), model).forecast().jobAheadBytes();
    assertThat(taken).as("what is taken was announced").isEqualTo(800_000);
  }

  /** A tier of 500,000 bytes. */
  private static LawInput hinted(long memoryBytes, long hintedBytes, int tick) {
    return input(500_000, 500_000, 0, memoryBytes, hintedBytes, 100L * tick);
  }

  /** A tier that has answered. */
  private static LawInput input(
      long capacityBytes,
      long usedBytes,
      long unevictableBytes,
      long memoryBytes,
      long hintedBytes,
      long millis) {
    return new LawInput(
        capacityBytes,
        capacityBytes,
        Held.of(usedBytes),
        Held.of(usedBytes),
        0,
        unevictableBytes,
        memoryBytes,
        hintedBytes,
        TOTAL,
        Double.NaN,
        millis);
  }

  @Test
  void aChangeWithinTheDeadBandIsNotMade() {
    ForecastLoop loop = ForecastLoop.at(R0, 1_500_000);
    loop.ticks(5, SET_POINT - 1_500_000);

    CapacityDecision less = loop.ticks(4, SET_POINT - 1_500_000 - BAND + 1).decision();
    loop.ticks(4, SET_POINT - 1_500_000 - BAND / 2);
    CapacityDecision more = loop.ticks(4, SET_POINT - 1_500_000 - BAND / 4).decision();

    assertThat(less.limitedBy()).isEqualTo(Limit.DeadBand);
    assertThat(more.limitedBy()).isEqualTo(Limit.DeadBand);
    assertThat(loop.capacityBytes()).isEqualTo(1_500_000);
  }

  @Test
  void noiseCostsNoEvictions() {
    ForecastLoop loop = ForecastLoop.at(R0, 1_500_000);
    var random = new java.util.Random(1);
    for (int i = 0; i < 200; i++) {
      loop.tick(SET_POINT - 1_500_000 + Math.round((2 * random.nextDouble() - 1) * TOTAL / 100));
    }
    long evicted = 0;
    for (int i = 51; i < 200; i++) {
      evicted += Math.max(0, loop.all().get(i - 1).usedBytes() - loop.all().get(i).usedBytes());
    }

    // Equation 1 follows the noise by half: about 5,000 a tick.
    assertThat(evicted / 150).isLessThan(2_000);
    double mean = loop.all().stream().mapToLong(ForecastLoop.Tick::usedBytes).average().orElse(0);
    assertThat(mean).isGreaterThan(1_500_000 * 0.97);
  }

  @Test
  void oneBurstThatIsOverIsNoNoise() {
    ForecastLoop loop = ForecastLoop.at(R0, 1_500_000);
    loop.ticks(5, SET_POINT - 1_500_000);
    loop.tick(SET_POINT - 700_000);

    loop.ticks(10, SET_POINT - 1_500_000);

    assertThat(loop.capacityBytes()).isGreaterThan(1_500_000 - 3 * BAND);
  }

  @Test
  void pressureStopsGrowthAndNothingElse() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    CapacityDecision decision = null;
    for (int i = 0; i < 20; i++) {
      decision = law.decide(pressed(500_000, 0.5, i), model);
    }
    CapacityDecision shrinks = law.decide(pressed(3_500_000, 0.5, 20), model);

    assertThat(decision.limitedBy()).isEqualTo(Limit.Pressure);
    assertThat(decision.action()).isEqualTo(Action.Hold);
    assertThat(decision.reason()).contains("tasks wait for memory");
    assertThat(shrinks.action()).isEqualTo(Action.Shrink);
  }

  @Test
  void pressureThatIsOverDoesNotHoldGrowthBack() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    for (int i = 0; i < 20; i++) {
      law.decide(pressed(500_000, 1, i), model);
    }
    law.decide(pressed(500_000, 0, 20), model);

    assertThat(law.decide(pressed(500_000, 0, 21), model).action()).isEqualTo(Action.Grow);
  }

  @Test
  void whatIsStillToBeEvictedIsKeptOnceThereIsRoomForIt() {
    ForecastLaw law = law(defaults());
    var behind = input(500_000, 900_000, 0, SET_POINT + 300_000, 0, 1);
    var relieved = input(500_000, 800_000, 0, SET_POINT - 200_000, 0, 101);

    NodeModel model = new NodeModel();
    CapacityDecision shrinks = law.decide(behind, model);
    CapacityDecision keeps = law.decide(relieved, model);

    assertThat(shrinks.desiredBytes()).as("of the 900,000 that it holds").isEqualTo(600_000);
    assertThat(keeps.desiredBytes()).isEqualTo(800_000);
  }

  /** A step looked like a ramp, and the tier has not given yet what was decided for that. */
  @Test
  void aForecastThatWasTooHighIsTakenBackAlsoAboveTheThreshold() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    long calm = SET_POINT - 900_000;
    for (int i = 0; i < 3; i++) {
      law.decide(new LawInput(900_000, 900_000, calm + 900_000, TOTAL, 100L * i), model);
    }
    long risen = calm + 200_000;
    law.decide(new LawInput(900_000, 900_000, risen + 900_000, TOTAL, 300), model);
    CapacityDecision keeps =
        law.decide(new LawInput(600_000, 850_000, risen + 850_000, TOTAL, 400), model);

    assertThat(keeps.input().claimedBytes()).isGreaterThan(SET_POINT);
    assertThat(keeps.desiredBytes()).isEqualTo(700_000);
  }

  @Test
  void onAFullNodeWhatNoiseMayTakeIsNotKept() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    long calm = SET_POINT - 900_000;
    for (int i = 0; i < 40; i++) {
      long jobBytes = calm + (i % 2) * 10_000L;
      law.decide(new LawInput(900_000, 900_000, jobBytes + 900_000, TOTAL, 100L * i), model);
    }
    long keptBytes = 900_000 - Math.round(2 * model.jobNoise);

    CapacityDecision keeps =
        law.decide(new LawInput(600_000, 950_000, calm + 950_000, TOTAL, 4_000), model);

    assertThat(model.jobNoise).isGreaterThan(5_000);
    assertThat(keeps.desiredBytes()).isBetween(keptBytes - 2, keptBytes + 2);
  }

  @Test
  void whatCannotBeEvictedIsLeftFreeAndForgotten() {
    ForecastLaw law = law(defaults());
    var input = input(1_000_000, 1_000_000, 100_000, SET_POINT + 200_000, 0, 1);

    NodeModel model = new NodeModel();
    CapacityDecision first = law.decide(input, model);
    var later = input(700_000, 700_000, 0, SET_POINT - 100_000, 0, 60_001);
    CapacityDecision second = law.decide(later, model);

    assertThat(first.forecast().reserveBytes()).isEqualTo(100_000);
    assertThat(first.desiredBytes()).isEqualTo(700_000);
    assertThat(second.forecast().reserveBytes()).isEqualTo(1_563);
  }

  @Test
  void aTierThatGivesNothingDoesNotRaiseItsOwnReserve() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    long asked = 1_000_000;
    for (int i = 0; i < 50; i++) {
      long missing = Math.max(0, 1_000_000 - asked);
      var input = input(1_000_000, 1_000_000, missing, SET_POINT + 50_000, 0, i * 100L);
      CapacityDecision decision = law.decide(input, model);
      asked = decision.desiredBytes();
    }

    assertThat(asked).isEqualTo(900_000);
  }

  @Test
  void whatATierHoldsBeyondItsCapacityIsTakenIntoAccount() {
    ForecastLoop loop = ForecastLoop.at(0.95, 1_000_000);
    loop.overhead = 1.07;
    for (int i = 0; i < 100; i++) {
      loop.tick(2_600_000);
    }

    for (int i = 0; i < 100; i++) {
      assertThat(loop.tick(2_600_000).utilization()).isBetween(0.93, 0.956);
    }
  }

  @Test
  void whatATierStillFreesIsNoOverhead() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    Forecast forecast = null;
    for (int i = 0; i < 40; i++) {
      long usedBytes = 900_000 - 10_000L * i;
      long memoryBytes = SET_POINT - 500_000 + usedBytes;
      var decision =
          law.decide(new LawInput(500_000, usedBytes, memoryBytes, TOTAL, 100L * i), model);
      forecast = decision.forecast();
    }

    assertThat(forecast.reserveBytes()).isZero();
  }

  /** It answers with every third sample. */
  @Test
  void whatATierStillFreesIsNoOverheadWhereItAnswersSlowly() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    Forecast forecast = null;
    for (int i = 0; i < 40; i++) {
      long usedBytes = 900_000 - 30_000L * (i / 3);
      long memoryBytes = SET_POINT - 500_000 + usedBytes;
      var decision =
          law.decide(new LawInput(500_000, usedBytes, memoryBytes, TOTAL, 100L * i), model);
      forecast = decision.forecast();
    }

    assertThat(forecast.reserveBytes()).isZero();
  }

  @Test
  void whatATierHasFilledWhileNobodyLookedIsNoOverhead() {
    ForecastLaw law = law(defaults());
    NodeModel model = new NodeModel();
    for (int i = 0; i < 10; i++) {
      law.decide(new LawInput(500_000, 200_000, 1_200_000, TOTAL, 100L * i), model);
    }

    var decision = law.decide(new LawInput(500_000, 900_000, 1_900_000, TOTAL, 9_000), model);

    assertThat(decision.forecast().reserveBytes()).isZero();
  }

  @Test
  void stepsAreCapped() {
    var d = defaults();
    var capped =
        new ForecastParameters(
            d.lookAheadMillis(),
            d.deadBand(),
            100,
            MemorySize.ofRatio(1),
            d.reserve(),
            MemorySize.ofBytes(7),
            MemorySize.ofBytes(9),
            d.pressureLimit());
    ForecastLoop loop = new ForecastLoop(capped, R0, 1_500_000);
    loop.ticks(3, SET_POINT - 1_500_000);

    CapacityDecision shrink = loop.tick(SET_POINT).decision();
    CapacityDecision grow = loop.tick(1_000_000).decision();

    assertThat(shrink.limitedBy()).isEqualTo(Limit.MaxStep);
    assertThat(shrink.desiredBytes()).isEqualTo(1_500_000 - 9);
    assertThat(grow.limitedBy()).isEqualTo(Limit.MaxStep);
    assertThat(grow.desiredBytes()).isEqualTo(1_500_000 - 9 + 7);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void convergesWithDelay(int delayTicks) {
    for (long jobBytes : new long[] {1_000_000, 2_000_000, 3_000_000, 3_800_000}) {
      ForecastLoop loop = ForecastLoop.at(R0, 1_200_000);
      loop.delayTicks = delayTicks;
      loop.ticks(30, jobBytes);
      long settled = loop.capacityBytes();
      loop.ticks(50, jobBytes);

      assertThat(loop.capacityBytes()).as("jobs %d", jobBytes).isEqualTo(settled);
      long safe = Math.min(ForecastLoop.MAX_BYTES, SET_POINT - jobBytes);
      assertThat(settled).as("jobs %d", jobBytes).isBetween(safe - BAND, safe);
    }
  }

  @Test
  void explainsItself() {
    ForecastLoop loop = ForecastLoop.at(R0, 1_500_000);
    loop.ticks(3, SET_POINT - 1_500_000);
    loop.tick(SET_POINT - 1_500_000 + 40_000);

    assertThat(loop.tick(SET_POINT - 1_500_000 + 80_000).decision().reason())
        .matches(
            "utilization 0\\.9\\d+ is above the threshold 0\\.9500, jobs hold 2471200 bytes and may"
                + " soon hold 60000 more: shrinking by \\d+ bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "-1,    0.005, 200, 0.1, 'lookAheadMillis: -1 is not from 0 to 60000'",
    "60001, 0.005, 200, 0.1, 'lookAheadMillis: 60001 is not from 0 to 60000'",
    "150,   0.11,  200, 0.1, 'deadBand: 0.11 is not from 0 to 0.1'",
    "150,   NaN,   200, 0.1, 'deadBand: NaN is not from 0 to 0.1'",
    "150,   0.005, 600001, 0.1, 'settleMillis: 600001 is not from 0 to 600000'",
    "150,   0.005, 200, 0,   'pressureLimit: 0.0 is not above 0 and at most 1'"
  })
  void refusesParametersOutOfRange(
      long lookAhead, double deadBand, long settle, double pressureLimit, String expected) {
    MemorySize any = MemorySize.ofBytes(1);

    assertThatThrownBy(
            () ->
                new ForecastParameters(
                    lookAhead, deadBand, settle, any, any, any, any, pressureLimit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "Forecast, 1.1, true,  gain: 1.1 is not above 0 and at most 1",
    "Forecast, 0.5, false, forecast: is missing",
    "Feedback, 0.5, true,  'forecast: belongs to Forecast, not Feedback'",
    "Feedback, 2.1, false, gain: 2.1 is not above 0 and at most 2"
  })
  void eachLawTakesItsOwnParameters(LawType law, double gain, boolean forecast, String expected) {
    assertThatThrownBy(() -> law.check(gain, forecast ? defaults() : null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(expected);
  }

  private static ForecastParameters defaults() {
    return ForecastParameters.defaults(100);
  }

  private static ForecastLaw law(ForecastParameters parameters) {
    return new ForecastLaw(new LawParameters(R0, 0.75, 0, ForecastLoop.MAX_BYTES, parameters));
  }

  /** A tier of 500,000, full, beside jobs of so much, on a node under pressure. */
  private static LawInput pressed(long jobBytes, double pressure, int tick) {
    return new LawInput(
        500_000,
        500_000,
        Held.of(500_000),
        Held.of(500_000),
        0,
        0,
        jobBytes + 500_000,
        0,
        TOTAL,
        pressure,
        1_000 + 100L * tick);
  }
}
