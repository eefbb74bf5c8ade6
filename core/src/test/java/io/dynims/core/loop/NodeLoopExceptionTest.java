package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Action;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node that reports by exception, beside one with the same memory that sends every sample. */
class NodeLoopExceptionTest extends NodeLoopHarness {

  private static final long FULL_TIER = 500;

  private final NodeLoopHarness everySample = new NodeLoopHarness() {};

  @Test
  void aTierSettlesAndGrowsBetweenReports() {
    know(FORECAST);
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 700, FULL_TIER, null);
    assertThat(one().limitedBy()).isEqualTo(Limit.Settling);

    at(START + 249);
    assertThat(fresh()).as("it still settles").isEmpty();
    at(START + 250);
    Target grows = one();

    assertThat(grows.action()).isEqualTo(Action.Grow);
    assertThat(grows.desiredBytes()).isEqualTo(thirdOfEverySample().desiredBytes());
    assertThat(grows.reason()).startsWith("unchanged for 0.2 s: utilization 0.7000 is below");
    assertThat(grows.sampledMillis()).isEqualTo(START + 200);
    assertThat(grows.decidedMillis()).isEqualTo(START + 250);
  }

  private Target thirdOfEverySample() {
    everySample.know(FORECAST);
    everySample.know(ack("a", FULL_TIER, FULL_TIER));
    for (int i = 0; i < 3; i++) {
      everySample.at(START + 100L * i);
      everySample.sample(START + 100L * i, 700, FULL_TIER, null);
    }
    return everySample.fresh().get(2);
  }

  @Test
  void aHostThatLagsLeavesADecisionBetweenReportsToTheNextReport() {
    know(FORECAST);
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 700, FULL_TIER, null);
    one();

    set(state.timerMillis + 101);
    timer();
    assertThat(fresh()).isEmpty();
    assertThat(state.timerMillis).as("only for silence").isEqualTo(START + 2_000);
    at(START + 500);
    report(START + 500, 700, FULL_TIER, null);

    assertThat(one().action()).isEqualTo(Action.Grow);
  }

  @Test
  void aTierAtRestNeedsNoTimerBeforeItsNodeWouldBeSilent() {
    rest();

    assertThat(state.timerMillis).isEqualTo(START + 2_000);
    at(START + 1_999);
    assertThat(fresh()).isEmpty();
    at(START + 2_000);
    assertThat(one().reason()).startsWith("no metrics for 2.0 s");
  }

  @Test
  void aHeartbeatThatIsNoShorterThanMetricsMayBeOldIsRefused() {
    ready();
    heard.clear();

    at(START + 100);
    sample(withHeartbeat(START + 100, 2_000));
    assertThat(fresh()).isEmpty();
    assertThat(heard).containsExactly("2000 of n1", "SlowHeartbeat 1");

    sample(withHeartbeat(START + 100, 1_999));
    one();
  }

  @Test
  void aHeartbeatIsNotJudgedBeforeThePolicyIsKnown() {
    sample(withHeartbeat(START, 3_000));
    assertThat(heard).containsExactly("NoPolicy 1");

    heard.clear();
    know(policy(POLICY, 100, 10_000));
    know(ack("a", 500, 0));
    sample(withHeartbeat(START + 100, 3_000));
    assertThat(heard).containsExactly("accepted");
  }

  private static MemoryReading withHeartbeat(long sampledMillis, long heartbeatMillis) {
    return new MemoryReading(
        NODE, sampledMillis, MemoryReading.WHOLE, 1_000, 300, null, null, heartbeatMillis, 1);
  }

  @Test
  void theFirstReportOfABurstIsAsSteepAsIfEverySampleHadBeenSent() {
    rest();
    everySample.know(FORECAST);
    everySample.know(ack("a", 600, FULL_TIER));
    for (int i = 0; i <= 8; i++) {
      everySample.at(START + 100L * i);
      everySample.sample(START + 100L * i, 700, FULL_TIER, null);
    }
    everySample.fresh();

    at(START + 500);
    report(START + 500, 700, FULL_TIER, null);
    assertThat(one().action()).isEqualTo(Action.Hold);
    for (int i = 9; i <= 11; i++) {
      long t = START + 100L * i;
      long usedBytes = 700 + 70L * (i - 8);
      at(t);
      report(t, usedBytes, FULL_TIER, null);
      everySample.at(t);
      everySample.sample(t, usedBytes, FULL_TIER, null);

      Target expected = everySample.one();
      Target target = one();
      assertThat(target.forecast()).isEqualTo(expected.forecast());
      assertThat(target.desiredBytes()).isEqualTo(expected.desiredBytes());
    }
  }

  @Test
  void aReportThatComesAfterTheLoopTookItForLeftOutIsDecidedAsIfItHadNot() {
    know(FORECAST);
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 700, FULL_TIER, null);
    at(START + 260);
    assertThat(fresh()).extracting(Target::action).containsExactly(Action.Hold, Action.Grow);

    report(START + 100, 900, FULL_TIER, null);
    Target late = one();

    everySample.know(FORECAST);
    everySample.know(ack("a", FULL_TIER, FULL_TIER));
    everySample.sample(START, 700, FULL_TIER, null);
    everySample.fresh();
    everySample.at(START + 100);
    everySample.sample(START + 100, 900, FULL_TIER, null);
    assertThat(late.forecast()).isEqualTo(everySample.one().forecast());
    assertThat(late.sampledMillis())
        .as("the tier refuses a sample older than the last one")
        .isEqualTo(START + 200);
    assertThat(state.last.sampledMillis()).isEqualTo(START + 100);
  }

  @Test
  void whatATierHoldsThatLeavesIsNoRiseSinceTheLastReport() {
    know(FORECAST);
    know(ack("a", 300, 300));
    know(policy("b", Mode.Enforce));
    know(ack("b", 200, 200));
    report(START, 800, 300, null);
    withdraw("b");
    at(START + 260);
    fresh();

    report(START + 100, 800, 300, null);

    assertThat(one().forecast().jobAheadBytes()).isEqualTo(500);
  }

  @Test
  void nothingIsImpliedOnceAHeartbeatIsOverdue() {
    know(POLICY);
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 700, FULL_TIER, null);

    for (int i = 0; i < 5; i++) {
      at(START + 100L * i + 50);
      Target target = one();
      assertThat(target.sampledMillis()).isEqualTo(START + 100L * i);
      answer(target);
    }
    at(START + 1_999);
    assertThat(fresh()).isEmpty();
    at(START + 2_000);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
    at(START + 60_000);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void aTierThatDoesNotAnswerIsAskedAgainOnTheNextReport() {
    know(POLICY);
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 700, FULL_TIER, null);
    Target unanswered = one();

    at(START + 499);
    assertThat(fresh()).isEmpty();
    at(START + 500);
    report(START + 500, 700, FULL_TIER, null);

    assertThat(one().desiredBytes()).isEqualTo(unanswered.desiredBytes());
  }

  @Test
  void nothingIsImpliedOfANodeThatSendsEverySample() {
    know(POLICY);
    know(ack("a", FULL_TIER, FULL_TIER));
    sample(START, 700, FULL_TIER, null);
    one();
    at(START + 1_999);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void nothingIsImpliedOnceTheTierTellsOfAChangeThatTheNodeHasNotReported() {
    know(POLICY);
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 700, FULL_TIER, null);
    one();
    know(ack("a", FULL_TIER, FULL_TIER + 2));
    at(START + 1_999);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void aTierThatFollowsWithinTheToleranceMovesTheMemoryInUse() {
    know(POLICY);
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 951, FULL_TIER, null);
    assertThat(one().desiredBytes()).as("half of what is too much, rounded").isEqualTo(499);
    know(ack("a", 499, 499));
    at(START + 160);

    assertThat(fresh()).as("at the threshold by the ack").isEmpty();
  }

  @Test
  void aPolicyAnAckAndAHintLeadToADecisionWithoutAReport() {
    rest();
    at(START + 120);
    know(POLICY);
    at(START + 150);
    assertThat(one().reason()).startsWith("unchanged for 0.1 s: utilization 0.7000 is below");

    know(FORECAST);
    at(START + 170);
    know(ack("a", 800, FULL_TIER));
    at(START + 260);
    assertThat(one().previousBytes()).isEqualTo(800);

    know(ack("a", 600, FULL_TIER));
    at(START + 350);
    assertThat(fresh()).isEmpty();
    know(
        new Ack(
            NODE,
            "a",
            600L,
            600L,
            FULL_TIER,
            null,
            null,
            null,
            AckStatus.Applied,
            "",
            START + 200,
            START + 300,
            List.of(new Hint("job", 400, START + 300, START + 60_000)),
            null,
            null));
    at(START + 450);
    Target hinted = one();
    assertThat(hinted.hintedBytes()).isEqualTo(400);
    assertThat(hinted.action()).isEqualTo(Action.Shrink);
  }

  private void answer(Target target) {
    long capacityBytes = target.desiredBytes();
    know(
        new Ack(
            NODE,
            "a",
            capacityBytes,
            capacityBytes,
            FULL_TIER,
            AckStatus.Applied,
            "",
            target.sampledMillis(),
            target.decidedMillis()));
  }

  @Test
  void whatIsImpliedGoesOnBesideATierWithoutAPolicy() {
    know(FORECAST);
    know(ack("a", 800, 100));
    know(
        new Ack(
            NODE,
            "b",
            10L,
            10L,
            5L,
            null,
            null,
            null,
            AckStatus.Applied,
            "",
            0,
            0,
            null,
            null,
            START));
    report(START, 700, 100, null);
    one();
    know(ack("a", 600, 100));
    at(START + 350);
    assertThat(one().previousBytes()).isEqualTo(600);
  }

  @Test
  void nothingIsImpliedForATierThatIsNotEnforced() {
    know(policy("a", Mode.Recommend));
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 700, FULL_TIER, null);
    one();
    at(START + 1_999);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void pressureAfterAQuietTimeIsThatOfTheLastInterval() {
    rest();
    at(START + 500);
    report(START + 500, 700, FULL_TIER, 1_000_000L);
    fresh();
    at(START + 1_000);
    report(START + 1_000, 700, FULL_TIER, 1_020_000L);

    assertThat(one().pressure()).as("20 of the last 100 ms").isEqualTo(0.2);
  }

  @Test
  void aReportHasItsTurnWhateverWasDecidedBefore() {
    know(POLICY);
    know(ack("a", FULL_TIER, FULL_TIER));
    report(START, 700, FULL_TIER, null);
    at(START + 255);
    fresh();
    for (long t : new long[] {210, 310, 390, 505}) {
      at(Math.max(START + 255, START + t));
      report(START + t, 700 + t % 7, FULL_TIER, null);
      assertThat(fresh()).as("at %d", t).isNotEmpty();
    }
  }

  /** A tier that runs ahead of its data by as much as it may, and has no reason to change. */
  private void rest() {
    know(FORECAST);
    know(ack("a", 600, FULL_TIER));
    report(START, 700, FULL_TIER, null);
    assertThat(one().limitedBy()).isEqualTo(Limit.HeadStart);
  }
}
