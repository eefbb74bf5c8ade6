package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.dynims.core.law.Action;
import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawType;
import io.dynims.core.law.Limit;
import io.dynims.core.law.MemorySize;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeLoopTest extends NodeLoopHarness {

  @Test
  void decidesByTheLawFromTheAcknowledgedCapacity() {
    know(POLICY);
    know(ack("a", 500, 0));
    sample(START, 980);
    var expected = POLICY.decide(new LawInput(500, 0, 980, 1_000, START), new NodeModel());
    Target target = one();
    assertThat(target)
        .isEqualTo(Target.of(new TierKey(NODE, "a"), expected, expected.reason(), 0L, START));
    assertThat(target.action()).isEqualTo(Action.Shrink);

    at(START + 100);
    sample(START + 100, 980);
    assertThat(one().previousBytes()).as("no ack of the first target came").isEqualTo(500);

    know(ack("a", 470, 0));
    at(START + 200);
    sample(START + 200, 980);
    assertThat(one().previousBytes()).isEqualTo(470);
  }

  @Test
  void tellsWhenTheTierToldItsCapacityWhichAFailedPushDoesNot() {
    know(POLICY);
    know(Ack.failed(new TierKey(NODE, "a"), 600, "gone", 0, START - 30));
    sample(START, 500);
    assertThat(fresh()).as("the tier told nothing to this job").isEmpty();

    know(new Ack(NODE, "a", 600, 600, 0, AckStatus.Applied, "", 0, START + 10));
    know(Ack.failed(new TierKey(NODE, "a"), 700, "gone", 0, START + 90));
    at(START + 100);
    sample(START + 100, 500);
    assertThat(one().acknowledgedMillis()).isEqualTo(START + 10);
    at(START + 10_000);
    assertThat(one().acknowledgedMillis()).as("of the Hold").isEqualTo(START + 10);
  }

  @Test
  void whatTheTierHoldsIsOfTheSamplesOwnInstantWhereTheReaderTells() {
    know(POLICY);
    know(ack("a", 500, 400));
    sample(START, 700, 300, null);
    Target told = one();
    at(START + 100);
    sample(START + 100, 700);
    Target acknowledged = one();

    assertThat(told.tierUsedBytes()).isEqualTo(300);
    assertThat(told.tierUsedAgeMillis()).isZero();
    assertThat(acknowledged.tierUsedBytes()).isEqualTo(400);
    assertThat(acknowledged.tierUsedAgeMillis()).isEqualTo(100);
  }

  @Test
  void aShrinkThatIsUnansweredIsNotAskedForAgain() {
    know(FORECAST);
    know(ack("a", 500, 500));
    sample(START, 990);
    assertThat(one().desiredBytes()).isEqualTo(460);

    for (int i = 1; i <= 5; i++) {
      at(START + 100L * i);
      sample(START + 100L * i, 990 - 5 * i);
      Target unanswered = one();
      assertThat(unanswered.tierUsedBytes()).as("as told").isEqualTo(500);
      assertThat(unanswered.desiredBytes()).as("the store frees").isEqualTo(460);
    }

    know(Ack.failed(new TierKey(NODE, "a"), 460, "late", START + 500, START + 509));
    at(START + 600);
    sample(START + 600, 960);
    assertThat(one().desiredBytes()).as("the push failed, but may be in force").isEqualTo(460);

    at(START + 700);
    sample(START + 700, 1_000);
    Target more = one();
    assertThat(more.forecast().jobBytes()).as("nothing freed yet at least").isEqualTo(500);
    assertThat(more.desiredBytes()).as("less the rise, at most").isBetween(430L, 450L);

    know(new Ack(NODE, "a", 440, 440, 440, AckStatus.Applied, "", START + 700, START + 710));
    at(START + 800);
    sample(START + 800, 910);
    assertThat(one().forecast().jobBytes()).isEqualTo(470);
  }

  /** The store answers before it has freed what it was asked for. */
  @Test
  void aShrinkInProgressIsNotTakenBack() {
    know(FORECAST);
    know(ack("a", 500, 500));
    sample(START, 990);
    assertThat(one().desiredBytes()).isEqualTo(460);

    for (long millis = 0; millis < 400; millis += 100) {
      long heldBytes = 500 - millis / 10;
      know(partial(460, heldBytes, START + millis));
      at(START + millis + 100);
      sample(START + millis + 100, 490 + heldBytes - 10);
      assertThat(one().desiredBytes()).as("after %s ms", millis).isEqualTo(460);
    }
  }

  @Test
  void aDecisionToHoldKeepsWhatTheTierHasByNow() {
    know(FORECAST);
    know(ack("a", 500, 500));
    sample(START, 900);
    assertThat(one().desiredBytes()).isEqualTo(500);

    know(ack("a", 540, 540));
    at(START + 100);
    sample(START + 100, 940);
    assertThat(one().desiredBytes()).as("its guard has grown it").isEqualTo(540);

    know(ack("a", 450, 450));
    at(START + 200);
    sample(START + 200, 945);
    assertThat(one().desiredBytes()).as("its guard has braked").isEqualTo(450);
  }

  /** A controller stands still; the tier goes on filling what it has. */
  @Test
  void whatASilentTierMayHaveFilledIsNoRiseOfTheJobs() {
    know(FORECAST);
    know(ack("a", 500, 300));
    for (long millis = 0; millis <= 900; millis += 100) {
      at(START + millis);
      sample(START + millis, 700 + Math.max(0, millis - 200) / 5);
      Target target = one();
      assertThat(target.desiredBytes()).as("after %s ms", millis).isGreaterThanOrEqualTo(300);
      if (millis >= 300) {
        assertThat(target.forecast().jobBytes()).isEqualTo(400);
        assertThat(target.forecast().jobAheadBytes()).isEqualTo(400);
      }
    }

    sample(START + 950, 1_000);
    at(START + 1_000);
    sample(START + 1_000, 1_000);
    assertThat(fresh().get(0).forecast().jobBytes()).as("beyond what it has").isEqualTo(500);
  }

  /** An adapter stands still, so that pushes fail; its store goes on filling what it has. */
  @Test
  void whatATierFillsWhosePushesFailIsNoRiseOfTheJobs() {
    know(FORECAST);
    know(ack("a", 500, 300));
    sample(START, 700);
    one();
    know(Ack.failed(new TierKey(NODE, "a"), 500, "refused", START, 0));
    for (long millis = 300; millis <= 900; millis += 100) {
      at(START + millis);
      sample(START + millis, 700 + (millis - 200) / 5);
      Target target = one();
      assertThat(target.forecast().jobBytes()).as("after %s ms", millis).isEqualTo(400);
      assertThat(target.desiredBytes()).as("with its head start").isEqualTo(400);
    }
  }

  /** A store has its new limit at once, and frees what is above it with time. */
  @Test
  void whatAStoreIsStillFreeingIsNoMoveOfTheJobs() {
    know(FORECAST);
    know(answer(500, 500, 1));
    sample(START, 900);
    know(answer(300, 500, 2));
    assertJobs(100, 800, 400);
    know(answer(300, 400, 3));
    assertJobs(200, 700, 400);
    know(answer(300, 320, 4));
    assertJobs(300, 720, 400);

    know(answer(300, 320, 5));
    assertJobs(400, 770, 450);
  }

  /** As a process whose memory is fragmented, by a little more or less with each answer. */
  @Test
  void whatAStoreHoldsAboveItsCapacityForGoodIsNotBeingFreed() {
    know(FORECAST);
    for (int i = 0; i <= 100; i++) {
      at(START + 100L * i);
      know(answer(300, 400 - i % 2, i + 1L));
      sample(START + 100L * i, 800 - i % 2);
    }

    List<Target> targets = fresh();
    assertThat(targets.get(targets.size() - 1).forecast().reserveBytes()).isBetween(80L, 100L);
  }

  private void assertJobs(long millis, long usedBytes, long jobBytes) {
    fresh();
    at(START + millis);
    sample(START + millis, usedBytes);
    assertThat(one().forecast().jobBytes()).as("after %s ms", millis).isEqualTo(jobBytes);
  }

  private static Ack answer(long capacityBytes, long usedBytes, long appliedMillis) {
    return new Ack(
        NODE,
        "a",
        capacityBytes,
        capacityBytes,
        usedBytes,
        AckStatus.Applied,
        "",
        appliedMillis,
        appliedMillis);
  }

  private static Ack partial(long desiredBytes, long capacityBytes, long sampledMillis) {
    return new Ack(
        NODE,
        "a",
        desiredBytes,
        capacityBytes,
        capacityBytes,
        AckStatus.Partial,
        "",
        sampledMillis,
        sampledMillis);
  }

  @Test
  void aPushThatIsOnTheWayIsNotTakenBack() {
    know(FORECAST);
    know(ack("a", 500, 500));
    for (int i = 0; i <= 2; i++) {
      at(START + 100L * i);
      sample(START + 100L * i, 700, 500, null);
    }
    Target grows = fresh().get(2);
    at(START + 300);
    sample(START + 300, 940, 500, null);

    assertThat(grows.desiredBytes()).isGreaterThan(550);
    assertThat(one().desiredBytes()).as("less room by 240").isLessThan(grows.desiredBytes());
  }

  @Test
  void pressureIsTheShareOfTimeSinceTheLastSample() {
    know(POLICY);
    know(ack("a", 500, 400));
    sample(START, 700, 300, 5_000_000L);
    assertThat(one().pressure()).as("nothing to compare with").isNull();

    at(START + 100);
    sample(START + 100, 700, 300, 5_025_000L);
    assertThat(one().pressure()).isEqualTo(0.25);

    at(START + 200);
    sample(START + 200, 700, 300, 3L);
    assertThat(one().pressure()).as("counted from anew").isNull();

    at(START + 300);
    sample(START + 300, 700, 300, 900_000L);
    assertThat(one().pressure()).as("never more than all of the time").isEqualTo(1);
  }

  @Test
  void theLawRemembersFromOneDecisionToTheNext() {
    know(FORECAST);
    know(ack("a", 500, 500));
    sample(START, 700, 500, null);
    at(START + 100);
    sample(START + 100, 700, 500, null);
    at(START + 200);
    sample(START + 200, 700, 500, null);

    assertThat(fresh())
        .extracting(Target::action, Target::limitedBy)
        .containsExactly(
            tuple(Action.Hold, Limit.Settling),
            tuple(Action.Hold, Limit.Settling),
            tuple(Action.Grow, Limit.HeadStart));
  }

  /** Above the node's memory it would switch every protection off. */
  @ParameterizedTest
  @EnumSource(LawType.class)
  void aBudgetAboveTheNodesMemoryChangesNothing(LawType law) {
    var policy = POLICY.withLaw(law, 0.95, 0.5, law.defaults(100));
    var expected = new NodeLoopTest();
    expected.know(policy);
    know(policy.with(Mode.Enforce, 0.95, 118_000L));
    for (NodeLoopTest each : List.of(expected, this)) {
      each.know(ack("a", 500, 500));
      each.sample(START, 990);
    }
    Target target = one();
    assertThat(target).isEqualTo(expected.one());
    assertThat(target.memoryTotalBytes()).isEqualTo(1_000);
    assertThat(target.action()).isEqualTo(Action.Shrink);
  }

  @Test
  void takesThePolicysBudgetForTheNodesMemory() {
    know(
        new Policy(
            NODE,
            "a",
            Mode.Enforce,
            POLICY.law(),
            0.95,
            0.5,
            0L,
            null,
            1_000L,
            null,
            800L,
            100,
            2_000,
            null));
    know(ack("a", 500, 0));
    sample(START, 840);
    Target target = one();
    assertThat(target.memoryTotalBytes()).isEqualTo(800);
    assertThat(target.utilization()).isEqualTo(1.05);
  }

  @Test
  void decidesNothingBeforeThePolicyAndAnAckAreKnown() {
    sample(START, 500);
    know(POLICY);
    at(START + 100);
    sample(START + 100, 500);
    assertThat(fresh()).isEmpty();
    know(ack("a", 500, 0));
    at(START + 200);
    sample(START + 200, 500);
    one();
  }

  @Test
  void decidesInModeRecommendAndNotInModeOff() {
    know(policy("a", Mode.Recommend));
    know(ack("a", 500, 0));
    sample(START, 500);
    one();
    know(policy("a", Mode.Off));
    at(START + 100);
    sample(START + 100, 500);
    at(START + 10_000);
    assertThat(fresh()).as("neither a decision nor a Hold").isEmpty();
  }

  @Test
  void decidesForEachTierOfANodeByItsOwnPolicyAndAck() {
    know(POLICY);
    know(policy("b", Mode.Recommend));
    know(ack("a", 500, 0));
    know(ack("b", 300, 0));
    sample(START, 500);
    assertThat(fresh())
        .extracting(Target::tier, Target::previousBytes)
        .containsExactlyInAnyOrder(tuple("a", 500L), tuple("b", 300L));
    at(START + 10_000);
    assertThat(fresh()).extracting(Target::tier).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void resolvesPercentagesAgainstTheMemoryOfTheSample() {
    know(
        new Policy(
            NODE,
            "a",
            Mode.Enforce,
            LawType.Feedback,
            0.95,
            0.5,
            null,
            0.1,
            null,
            0.25,
            null,
            100,
            2_000,
            null));
    know(ack("a", 240, 0));
    sample(START, 100);
    Target grown = one();
    assertThat(grown.desiredBytes()).isEqualTo(250);
    assertThat(grown.limitedBy()).isEqualTo(Limit.Max);
    at(START + 100);
    know(ack("a", 105, 0));
    sample(START + 100, 1_000);
    assertThat(one().desiredBytes()).isEqualTo(100);
  }

  @Test
  void theMaximumHoldsWhereTheMinimumIsAboveIt() {
    know(
        new Policy(
            NODE,
            "a",
            Mode.Enforce,
            LawType.Feedback,
            0.95,
            0.5,
            300L,
            null,
            null,
            0.2,
            null,
            100,
            2_000,
            null));
    know(ack("a", 500, 0));
    sample(START, 100);
    assertThat(one().desiredBytes()).isEqualTo(200);
  }

  @Test
  void tellsTheLawWhatTheTierHoldsAndWhenTheSampleWasTaken() {
    know(POLICY);
    know(ack("a", 500, 123));
    sample(START - 7, 500);
    Target decision = one();
    assertThat(decision.tierUsedBytes()).isEqualTo(123);
    assertThat(decision.sampledMillis()).isEqualTo(START - 7);
  }

  @Test
  void anAckMayComeBeforeItsPolicy() {
    know(ack("a", 500, 0));
    sample(START, 500);
    know(POLICY);
    at(START + 100);
    sample(START + 100, 500);
    assertThat(one().previousBytes()).isEqualTo(500);
  }

  /**
   * A recommendation is not on its way to the tier: what is enforced starts from what is in force.
   */
  @Test
  void aTierThatBecomesEnforcedStartsFromWhatItHas() {
    var forecast = FORECAST.forecast();
    var capped =
        new ForecastParameters(
            forecast.lookAheadMillis(),
            forecast.deadBand(),
            forecast.settleMillis(),
            forecast.headStart(),
            forecast.reserve(),
            forecast.maxGrow(),
            MemorySize.ofBytes(9),
            forecast.pressureLimit());
    Policy policy = FORECAST.withLaw(LawType.Forecast, 0.95, 0.75, capped);
    know(policy.withMode(Mode.Recommend));
    know(ack("a", 500, 500));
    sample(START, 990);
    assertThat(one().desiredBytes()).isEqualTo(491);

    know(policy);
    at(START + 100);
    sample(START + 100, 990);

    assertThat(one().desiredBytes()).isEqualTo(491);
  }

  /** A held push repeats the tier's last answer, which gets no younger by that. */
  @Test
  void anAnswerThatIsRepeatedIsAsOldAsItIs() {
    know(FORECAST);
    know(new Ack(NODE, "a", 500, 500, 500, AckStatus.Applied, "", START, START));
    sample(START, 900);
    one();
    at(START + 300);
    know(new Ack(NODE, "a", 500, 500, 500, AckStatus.Applied, "", START + 200, START));
    sample(START + 300, 900);

    assertThat(one().tierUsedAgeMillis()).isEqualTo(300);
  }

  @Test
  void anAckThatComesLateAfterAWithdrawalLeavesNothingBehind() {
    ready();
    know(policy("b", Mode.Enforce));
    withdraw("a");
    know(ack("a", 500, 400));
    for (long t = START + 100; t <= START + 2_200; t += 100) {
      at(t);
      sample(t, 500);
    }
    assertThat(state.tiers).containsOnlyKeys("b");
  }
}
