package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeLoopSamplesTest extends NodeLoopHarness {

  @Test
  void dropsSamplesThatAreRepeatedOutOfOrderStaleOrInTheFuture() {
    ready();
    sample(START, 600);
    sample(START - 100, 600);
    sample(START - 2_001, 600);
    sample(START + 5_001, 600);
    assertThat(fresh()).isEmpty();
    at(START + 100);
    sample(START + 100, 500);
    assertThat(one().memoryUsedBytes()).isEqualTo(500);
  }

  @Test
  void takesSamplesAtTheEdgeOfStaleAndFuture() {
    know(POLICY);
    know(ack("a", 500, 0));
    sample(START - 2_000, 500);
    one();
    sample(START + 5_000, 500);
    one();
  }

  @Test
  void followsAClockThatWasSetBackOnceNothingWasAcceptedForLong() {
    know(POLICY);
    know(ack("a", 500, 0));
    sample(START + 4_000, 500);
    one();
    for (long t = START + 100; t < START + 2_000; t += 100) {
      at(t);
      sample(t, 600);
    }
    assertThat(fresh()).as("out of order").isEmpty();
    at(START + 2_000);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
    sample(START + 2_000, 600);
    assertThat(one().reason()).startsWith("metrics are back after 2.0 s");
    at(START + 2_100);
    sample(START + 2_100, 600);
    assertThat(one().memoryUsedBytes()).isEqualTo(600);
  }

  @Test
  void joinsTheStockPluginsPartsWithWhatTheTierUses() {
    know(POLICY);
    know(policy("b", Mode.Off));
    know(ack("a", 500, 150));
    know(ack("b", 100, 50));
    for (int part = 0; part < 5; part++) {
      part(START, part, 100);
    }
    assertThat(fresh()).isEmpty();
    part(START, 5, 500);
    Target target = one();
    assertThat(target.memoryTotalBytes()).isEqualTo(1_000);
    // In use: 100 used, 500 unreclaimable slab, 200 of the tiers' within the 100 of cache.
    assertThat(target.memoryUsedBytes()).isEqualTo(1_000 - (400 - 200));
    at(START + 100);
    part(START + 100, 0, 100);
    assertThat(fresh()).isEmpty();
  }

  /** A guard frees or a tier fills; a sample from before it comes after the ack. */
  @ParameterizedTest
  @CsvSource({"500, 300, true, 440", "100, 500, true, 440", "500, 300, false, 640"})
  void aLateSampleIsComparedWithWhatTheTierHeldThen(
      long usedBytes, long laterUsedBytes, boolean tells, long jobBytes) {
    decidedWith(usedBytes);
    know(measured(laterUsedBytes, laterUsedBytes, tells ? START + 150 : null));

    at(START + 800);
    sample(START + 100, 440 + usedBytes);
    assertThat(one().forecast().jobBytes()).isEqualTo(jobBytes);
    sample(START + 200, 440 + laterUsedBytes);
    assertThat(one().forecast().jobBytes()).isEqualTo(440);
  }

  /** Some samples come late and all at once; nobody has looked at the tier in between. */
  @Test
  void whatATierFillsBetweenTwoLooksIsNoRiseOfTheJobs() {
    decidedWith(100);
    at(START + 800);
    know(measured(500, 300, START + 400));

    for (int millis = 100; millis <= 300; millis += 100) {
      sample(START + millis, 540 + millis / 2);
      assertThat(one().forecast().jobBytes()).as("after %s ms", millis).isEqualTo(440);
    }
  }

  @Test
  void aRiseThatALateSampleShowsIsNotTakenForWhatTheTierHeld() {
    decidedWith(500);
    know(measured(300, 300, START + 150));

    at(START + 800);
    sample(START + 100, 960);
    assertThat(one().forecast().jobBytes()).isEqualTo(460);
  }

  /** Its tier has filled its capacity since. */
  @Test
  void anAckThatIsLateDoesNotTellWhatItsTierHoldsNow() {
    decidedWith(100);

    at(START + 800);
    know(measured(500, 150, START + 50));
    sample(START + 800, 940);
    assertThat(one().forecast().jobBytes()).isEqualTo(440);
  }

  @Test
  void anAckThatANewerOneHasOvertakenIsDropped() {
    decidedWith(100);
    know(measured(500, 500, START + 60));
    know(measured(500, 150, START + 50));

    at(START + 100);
    sample(START + 100, 940);
    assertThat(one().forecast().jobBytes()).isEqualTo(440);
  }

  @Test
  void whatAcksToldBeforeTheClockWasSetBackIsForgotten() {
    know(FORECAST);
    know(measured(500, 500, START + 60_000));
    at(START + 2_001);
    know(measured(300, 300, START - 10));

    sample(START + 1, 740);
    assertThat(one().forecast().jobBytes()).isEqualTo(440);
    assertThat(state.tiers.get("a").usage.held)
        .containsExactly(new UsageHistory.Look(START - 10, 300));
  }

  /** The adapter's clock is a minute ahead of the node's, or it always tells the same time. */
  @ParameterizedTest
  @CsvSource({"60000, 100", "-10, 0"})
  void ofAnAdapterWithAnotherClockTheLastAckCounts(long aheadMillis, long stepMillis) {
    know(FORECAST);
    for (int i = 0; i < 5; i++) {
      know(measured(500, 100L * i, START + aheadMillis + i * stepMillis));
    }

    sample(START, 840);
    assertThat(one().forecast().jobBytes()).isEqualTo(440);
  }

  @Test
  void whatNoSampleWillAskForIsForgotten() {
    know(FORECAST);
    for (int i = 0; i < 100; i++) {
      know(measured(500, i, START + i));
    }
    assertThat(state.tiers.get("a").usage.held).as("bounded").hasSize(32);

    sample(START + 97, 540);
    one();
    assertThat(state.tiers.get("a").usage.held)
        .containsExactly(
            new UsageHistory.Look(START + 97, 97),
            new UsageHistory.Look(START + 98, 98),
            new UsageHistory.Look(START + 99, 99));
  }

  /** The jobs hold 440 bytes beside what the tier held 10 ms before; all is decided. */
  private void decidedWith(long usedBytes) {
    know(FORECAST);
    know(measured(500, usedBytes, START - 10));
    sample(START, 440 + usedBytes);
    assertThat(one().forecast().jobBytes()).isEqualTo(440);
  }

  private static Ack measured(long capacityBytes, long usedBytes, Long measuredMillis) {
    long millis = measuredMillis == null ? START + 150 : measuredMillis;
    return ack(capacityBytes, usedBytes, millis, null, measuredMillis);
  }

  /** The stock plugin sees the heap of Redis or memcached, as any other process's. */
  @ParameterizedTest
  @CsvSource({"true, 900, 500", "false, 1000, 600", ", 1000, 600"})
  void whatAProcessHoldsIsNotHiddenFromTheStockPlugin(
      Boolean inProcess, long memoryUsedBytes, long jobBytes) {
    know(FORECAST);
    know(ack(400, 400, 0, inProcess, null));
    part(START, 0, 900);
    for (int part = 1; part < 5; part++) {
      part(START, part, 25);
    }
    part(START, 5, 0);

    Target target = one();
    assertThat(target.memoryUsedBytes()).isEqualTo(memoryUsedBytes);
    assertThat(target.forecast().jobBytes()).isEqualTo(jobBytes);
  }

  @Test
  void joinsPartsOfInstantsThatArriveMixedAndGivesUpIncompleteOnes() {
    know(POLICY);
    know(ack("a", 500, 0));
    for (int part = 0; part < 6; part++) {
      part(START - 200 + 100L * (part % 2), part, 1);
    }
    for (int part = 0; part < 6; part++) {
      part(START, part, 1);
      part(START, part, 1);
    }
    assertThat(one().sampledMillis()).isEqualTo(START);
    part(START - 200, 1, 1);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void prefersTheShippedReaderOverTheStockPlugin() {
    ready();
    at(START + 100);
    sample(START + 100, 700);
    for (int part = 0; part < 6; part++) {
      part(START + 103, part, 100);
    }
    assertThat(one().memoryUsedBytes()).isEqualTo(700);
    at(START + 2_200);
    fresh();
    for (int part = 0; part < 6; part++) {
      part(START + 2_200, part, 100);
    }
    assertThat(one().memoryTotalBytes()).as("the reader is gone").isEqualTo(600);
  }

  @Test
  void theReaderIsNotHeardAgainWhenTheClockComesToWhereItWasBeforeItWasSetBack() {
    ready();
    for (long after = -3_000; after < 2_000; after += 500) {
      set(START + after);
      for (int part = 0; part < 6; part++) {
        part(START + after, part, 100);
      }
      assertThat(one().memoryTotalBytes()).as("at %d", after).isEqualTo(600);
    }
  }
}
