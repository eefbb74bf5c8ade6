package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JudgeTest {

  private static final long GIB = 1L << 30;
  private static final Extent GOOD = new Extent(2 * GIB, GIB, 2 * GIB);
  private static final ReactionMillis QUICK = new ReactionMillis(9, 20, 30, 100);
  private static final DemoReport.SettleMillis SETTLED = new DemoReport.SettleMillis(300L, 800L);

  @Test
  void passesARunThatShrankFreedAndGrewBack() {
    DemoReport report = report(GOOD, GOOD, 100, 0, 0);

    assertThat(Judge.failures(report)).isEmpty();
    assertThat(Judge.missedGoals(report)).isEmpty();
  }

  @Test
  void failsIfTheTierDidNotShrink() {
    Extent still = new Extent(2 * GIB, 2 * GIB - 1, 2 * GIB);

    assertThat(Judge.failures(report(still, GOOD, 100, 0, 0)))
        .singleElement()
        .asString()
        .contains("did not shrink", "burst of 1024 MiB");
  }

  /** Seen on a machine where other programs ended during the burst. */
  @Test
  void aTierNeedNotShrinkWhereOthersMadeRoom() {
    Extent still = new Extent(2 * GIB, 2 * GIB, 2 * GIB);
    DemoReport report = report(still, still, 100, 0.9, QUICK, SETTLED, GIB / 8 - GIB, 0);

    assertThat(Judge.failures(report)).isEmpty();
    assertThat(Judge.missedGoals(report)).singleElement().asString().contains("0 MiB only");
    assertThat(Judge.failures(report(still, still, 100, 0.9, QUICK, SETTLED, GIB / 2, 0)))
        .hasSize(2)
        .first()
        .asString()
        .contains("did not shrink");
  }

  @Test
  void failsIfNoMemoryWasFreed() {
    Extent still = new Extent(2 * GIB, 2 * GIB - 1, 2 * GIB);

    assertThat(Judge.failures(report(GOOD, still, 100, 0, 0)))
        .singleElement()
        .asString()
        .contains("memory was not freed");
  }

  @Test
  void failsIfTheTierDidNotGrowBack() {
    Extent away = new Extent(2 * GIB, GIB, GIB);

    assertThat(Judge.failures(report(away, GOOD, 100, 0, 0)))
        .singleElement()
        .asString()
        .contains("did not grow back", "capacity");
    assertThat(Judge.failures(report(GOOD, away, 100, 0, 0)))
        .singleElement()
        .asString()
        .contains("did not grow back", "data");
  }

  /** Seen on a machine where a build began during the burst. */
  @Test
  void aTierCannotGrowIntoWhatOthersTook() {
    Extent smaller = new Extent(2 * GIB, GIB, GIB + GIB / 2);
    DemoReport excused = report(smaller, smaller, 100, 0.9, QUICK, SETTLED, GIB, GIB / 3);

    assertThat(Judge.failures(excused)).isEmpty();
    assertThat(Judge.missedGoals(excused)).singleElement().asString().contains("took 341 MiB");
    assertThat(Judge.failures(report(smaller, smaller, 100, 0.9, QUICK, SETTLED, GIB, GIB / 8)))
        .hasSize(2);
    assertThat(Judge.failures(report(smaller, smaller, 100, 0.9, QUICK, SETTLED, GIB, -GIB)))
        .hasSize(2);
  }

  @Test
  void failsOnEveryKindOfBadRead() {
    assertThat(Judge.failures(report(GOOD, GOOD, 0, 0, 0)))
        .containsExactly("nothing was read through the tier");
    assertThat(Judge.failures(report(GOOD, GOOD, 10, 1, 0)))
        .containsExactly("1 reads returned wrong bytes");
    assertThat(Judge.failures(report(GOOD, GOOD, 10, 0, 2))).containsExactly("2 reads failed");
  }

  @Test
  void failsIfNothingHappened() {
    Extent none = new Extent(0, 0, 0);

    assertThat(Judge.failures(report(none, none, 0, 0, 0)))
        .satisfiesExactly(
            text -> assertThat(text).contains("nothing to take before the burst"),
            text -> assertThat(text).contains("nothing was read"));
  }

  @Test
  void reportsMissedGoalsWithoutFailing() {
    DemoReport report =
        report(
            GOOD,
            GOOD,
            10,
            1.01,
            new ReactionMillis(16, 41, 50, 10),
            new DemoReport.SettleMillis(1_001L, null));

    assertThat(Judge.failures(report)).isEmpty();
    assertThat(Judge.missedGoals(report))
        .satisfiesExactly(
            text -> assertThat(text).contains("exceeded its memory budget", "1.0100"),
            text -> assertThat(text).contains("1001 ms", "peak of the burst"),
            text -> assertThat(text).contains("did not settle", "end of the burst"),
            text -> assertThat(text).contains("p50 16 ms", "p99 41 ms"));
  }

  @Test
  void saysThatOtherProgramsLeftTheTierNoRoom() {
    Extent none = new Extent(0, 0, GIB);

    assertThat(Judge.failures(report(none, none, 10, 1, 0)))
        .satisfiesExactly(
            text ->
                assertThat(text)
                    .contains("nothing to take before the burst", "0 MiB", "other programs"),
            text -> assertThat(text).contains("wrong bytes"));
  }

  static DemoReport report(
      Extent capacity, Extent used, long readsOk, long readsCorrupt, long readsFailed) {
    DemoReport good = report(capacity, used, readsOk, 0.98, QUICK, SETTLED);
    return new DemoReport(
        good.reactionMillis(),
        good.idleReactionMillis(),
        good.ticks(),
        good.applied(),
        good.partial(),
        good.failed(),
        capacity,
        used,
        good.maxUtilization(),
        good.maxOwnUtilization(),
        good.overThresholdMillis(),
        readsOk,
        7,
        readsCorrupt,
        readsFailed,
        good.settleMillis(),
        good.threshold(),
        good.memoryBudgetBytes(),
        good.memoryTotalBytes(),
        good.processors(),
        good.burstBytes(),
        good.neededBytes(),
        good.othersGrownBytes(),
        good.seed());
  }

  private static DemoReport report(
      Extent capacity,
      Extent used,
      long readsOk,
      double maxUtilization,
      ReactionMillis idle,
      DemoReport.SettleMillis settle) {
    return report(capacity, used, readsOk, maxUtilization, idle, settle, GIB, 0);
  }

  private static DemoReport report(
      Extent capacity,
      Extent used,
      long readsOk,
      double maxUtilization,
      ReactionMillis idle,
      DemoReport.SettleMillis settle,
      long neededBytes,
      long othersGrownBytes) {
    return new DemoReport(
        QUICK,
        idle,
        200,
        198,
        2,
        0,
        capacity,
        used,
        maxUtilization,
        maxUtilization,
        400,
        readsOk,
        7,
        0,
        0,
        settle,
        0.95,
        5 * GIB,
        8 * GIB,
        2,
        GIB,
        neededBytes,
        othersGrownBytes,
        1);
  }
}
