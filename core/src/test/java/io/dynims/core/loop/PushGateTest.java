package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.gate.PushGate;
import io.dynims.core.gate.PushGate.Kind;
import io.dynims.core.gate.PushGate.Step;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import org.junit.jupiter.api.Test;

class PushGateTest {

  private static final long START = NodeLoopHarness.START;
  private static final long NANOS = 1_000_000;
  private static final long LEASE_MILLIS = 1_000;
  private static final long HELD_MILLIS = 500;
  private static final double TOLERANCE = 0.01;
  private static final Policy POLICY = NodeLoopHarness.POLICY;

  private final PushGate gate =
      new PushGate(new PushGate.Settings(LEASE_MILLIS, HELD_MILLIS, TOLERANCE));

  @Test
  void isIdleWithoutATarget() {
    assertThat(next(START).kind()).isEqualTo(Kind.Idle);
  }

  @Test
  void pushesTheLatestTargetOnce() {
    push(500, START - 100);
    gate.offer(target(400, START - 10));
    gate.offer(target(500, START));

    Step step = next(START);
    assertThat(step.kind()).isEqualTo(Kind.Push);
    assertThat(step.target().desiredBytes()).isEqualTo(500);
    assertThat(step.leaseMillis()).isEqualTo(LEASE_MILLIS);
    assertThat(next(START + 100).kind()).isEqualTo(Kind.Idle);
  }

  @Test
  void theLeaseOutlivesThreeIntervalsOfThePolicy() {
    Policy slow = NodeLoopHarness.policy(POLICY, 5_000, 5_000);
    gate.offer(target(500, START));
    assertThat(next(slow, START).kind()).isEqualTo(Kind.Poll);
    gate.told(500);

    assertThat(next(slow, START).leaseMillis()).isEqualTo(15_000);
  }

  @Test
  void waitsWhereAPushWouldComeTooSoon() {
    push(500, START);
    gate.offer(target(400, START + 20));

    Step step = next(START + 20);
    assertThat(step.kind()).isEqualTo(Kind.Wait);
    assertThat(step.waitNanos()).isEqualTo(30_000_000);
    assertThat(next(START + 50).kind()).isEqualTo(Kind.Push);
  }

  @Test
  void dropsATargetThatIsTooOld() {
    gate.offer(target(500, START));

    assertThat(next(START + 2_001).kind()).isEqualTo(Kind.Idle);
  }

  @Test
  void aStaleDecisionTakesTheWaitingTargetAway() {
    gate.offer(target(500, START));
    gate.offer(stale());

    assertThat(next(START).kind()).isEqualTo(Kind.Idle);
  }

  @Test
  void aClearedGateForgetsTheTarget() {
    gate.offer(target(500, START));
    gate.clear();

    assertThat(next(START).kind()).isEqualTo(Kind.Idle);
  }

  @Test
  void onlyPollsWhereThePolicyRecommendsAndDoesNothingWhereItIsOff() {
    gate.offer(target(500, START));
    assertThat(next(NodeLoopHarness.policy("a", Mode.Recommend), START).kind())
        .isEqualTo(Kind.Poll);
    gate.offer(target(500, START + 100));
    assertThat(next(NodeLoopHarness.policy("a", Mode.Off), START + 100).kind())
        .isEqualTo(Kind.Idle);
  }

  @Test
  void aSteadyTierIsAcknowledgedWithoutAPushForAsLongAsItMayBeHeld() {
    push(500, START);
    push(500, START + 100);

    gate.offer(target(510, START + 200));
    assertThat(next(START + 200).kind()).as("10 of 1,000 bytes").isEqualTo(Kind.Acknowledge);
    gate.offer(target(511, START + 300));
    assertThat(next(START + 300).kind()).as("more than the tolerance").isEqualTo(Kind.Push);
  }

  @Test
  void aSteadyTierIsPushedAgainAfterTheLongestHold() {
    push(500, START);
    push(500, START + 100);

    gate.offer(target(500, START + 599));
    assertThat(next(START + 599).kind()).isEqualTo(Kind.Acknowledge);
    gate.offer(target(500, START + 700));
    assertThat(next(START + 700).kind()).isEqualTo(Kind.Push);
  }

  @Test
  void aTierWhoseDataMovesIsNotSteady() {
    push(500, START);
    gate.offer(target(500, START + 100));
    gate.answered(next(START + 100).target(), true, 500, 400);

    gate.offer(target(500, START + 200));
    assertThat(next(START + 200).kind()).isEqualTo(Kind.Push);
  }

  @Test
  void afterAFailedOrPartialPushNothingIsHeldBack() {
    push(500, START);
    push(500, START + 100);
    gate.offer(target(600, START + 200));
    gate.answered(next(START + 200).target(), false, 550, 100);
    gate.offer(target(550, START + 300));
    Step again = next(START + 300);
    assertThat(again.kind()).isEqualTo(Kind.Push);

    gate.failed(again.target());
    gate.offer(target(550, START + 400));
    assertThat(next(START + 400).kind()).isEqualTo(Kind.Push);
  }

  @Test
  void atFirstATargetWaitsForAPoll() {
    gate.offer(target(400, 500, START));
    assertThat(next(START).kind()).isEqualTo(Kind.Poll);
    gate.told(400);

    Step step = next(START + 1);
    assertThat(step.kind()).isEqualTo(Kind.Push);
    assertThat(step.target().desiredBytes()).isEqualTo(500);
  }

  @Test
  void aTargetThatWouldGrowTheTierFromWhatItNoLongerHasIsDropped() {
    gate.offer(target(1_000, 950, START));
    assertThat(next(START).kind()).isEqualTo(Kind.Poll);
    gate.told(300);
    assertThat(next(START + 1).kind()).as("the guard has shrunk the tier").isEqualTo(Kind.Idle);
    gate.offer(target(1_000, 950, START + 50));
    assertThat(next(START + 50).kind()).as("the job does not know yet").isEqualTo(Kind.Poll);
    gate.told(300);

    gate.offer(target(300, 350, START + 100));
    assertThat(next(START + 100).kind()).isEqualTo(Kind.Poll);
    gate.told(310);
    assertThat(next(START + 101).kind()).isEqualTo(Kind.Push);
  }

  @Test
  void aTargetThatDoesNotShrinkTheTierIsDroppedWhereTheTierHasMore() {
    for (long desiredBytes : new long[] {500, 550}) {
      gate.offer(target(500, desiredBytes, START));
      assertThat(next(START).kind()).isEqualTo(Kind.Poll);
      gate.told(600);
      assertThat(next(START + 1).kind()).as("the guard has grown the tier").isEqualTo(Kind.Idle);
    }

    gate.offer(target(500, 490, START + 2));
    assertThat(next(START + 2).kind()).isEqualTo(Kind.Poll);
    gate.told(600);
    assertThat(next(START + 3).kind()).as("one that shrinks is pushed").isEqualTo(Kind.Push);
  }

  @Test
  void aPollWithoutAnAnswerIsNotRepeatedForTheSameTarget() {
    gate.offer(target(500, START));
    assertThat(next(START).kind()).isEqualTo(Kind.Poll);
    assertThat(next(START + 1).kind()).isEqualTo(Kind.Idle);
  }

  @Test
  void afterAFailedPushATargetThatGrowsWaitsForAPollAndOneThatShrinksDoesNot() {
    push(500, START);
    gate.offer(target(500, 400, START + 100));
    gate.failed(next(START + 100).target());

    gate.offer(target(500, 410, START + 200));
    assertThat(next(START + 200).kind()).as("more than may be in force").isEqualTo(Kind.Poll);
    gate.offer(target(500, 400, START + 300));
    Step shrinks = next(START + 300);
    assertThat(shrinks.kind()).isEqualTo(Kind.Push);
    gate.failed(shrinks.target());

    gate.offer(target(500, 510, START + 400));
    assertThat(next(START + 400).kind()).isEqualTo(Kind.Poll);
    gate.told(500);
    assertThat(next(START + 400).kind()).isEqualTo(Kind.Push);
  }

  @Test
  void anyTargetWaitsForAPollOnceTheLeaseMayHaveRunOut() {
    push(500, START);
    gate.offer(target(500, 400, START + 999));
    assertThat(next(START + 999).kind()).isEqualTo(Kind.Push);
    gate.failed(target(500, 400, START + 999));
    gate.offer(target(500, 400, START + 2_500));

    assertThat(next(START + 2_500).kind()).isEqualTo(Kind.Poll);
  }

  @Test
  void whatAPollTellsOfATierWithoutALeaseServesNoLaterTarget() {
    push(500, START);
    gate.told(500);
    gate.offer(target(500, 510, START + 999));
    assertThat(next(START + 999).kind()).as("the lease runs").isEqualTo(Kind.Push);
    gate.told(500);
    gate.offer(target(500, 510, START + 5_000));

    assertThat(next(START + 5_000).kind()).isEqualTo(Kind.Poll);
  }

  @Test
  void aTierThatIsUnconfirmedIsPolledAtThePolicysPaceAndNeverPushed() {
    push(500, START);
    gate.offer(unconfirmed(START + 100));
    assertThat(next(START + 100).kind()).isEqualTo(Kind.Poll);
    gate.told(500);
    assertThat(next(START + 101).kind()).isEqualTo(Kind.Idle);
    gate.offer(unconfirmed(START + 110));
    assertThat(next(START + 110).kind()).isEqualTo(Kind.Wait);
  }

  @Test
  void aTierWhoseCapacityAnotherMovedIsNotHeld() {
    push(500, START);
    push(500, START + 100);
    gate.told(450);
    gate.offer(target(500, 500, START + 200));
    assertThat(next(START + 200).kind()).as("it would jump").isEqualTo(Kind.Poll);
    gate.told(450);
    gate.offer(target(450, 500, START + 300));

    assertThat(next(START + 300).kind()).isEqualTo(Kind.Push);
  }

  @Test
  void aClearedGateForgetsWhatIsInForce() {
    push(500, START);
    gate.clear();
    gate.offer(target(500, START + 100));

    assertThat(next(START + 100).kind()).isEqualTo(Kind.Poll);
  }

  /** Pushes a target whose answer says that it is in force and that the tier holds 100 bytes. */
  private void push(long desiredBytes, long nowMillis) {
    gate.offer(target(desiredBytes, nowMillis));
    Step step = next(nowMillis);
    if (step.kind() == Kind.Poll) {
      gate.told(desiredBytes);
      step = next(nowMillis);
    }
    assertThat(step.kind()).isEqualTo(Kind.Push);
    gate.answered(step.target(), true, desiredBytes, 100);
  }

  private Step next(long nowMillis) {
    return next(POLICY, nowMillis);
  }

  private Step next(Policy policy, long nowMillis) {
    return gate.next(policy, nowMillis, nowMillis * NANOS);
  }

  /** Rests on the capacity that it asks for. */
  private static Target target(long desiredBytes, long sampledMillis) {
    return target(desiredBytes, desiredBytes, sampledMillis);
  }

  private static Target target(long previousBytes, long desiredBytes, long sampledMillis) {
    var input = new LawInput(previousBytes, 100, 950, 1_000, sampledMillis);
    double stepBytes = previousBytes - desiredBytes;
    return target(
        CapacityDecision.bounded(input, POLICY.parameters(1_000), stepBytes), sampledMillis);
  }

  private static Target stale() {
    var input = new LawInput(500, 100, 950, 1_000, START);
    return target(CapacityDecision.held(input, POLICY.parameters(1_000), Limit.Stale), START);
  }

  private static Target unconfirmed(long sampledMillis) {
    var input = new LawInput(500, 100, 950, 1_000, sampledMillis);
    return target(
        CapacityDecision.held(input, POLICY.parameters(1_000), Limit.Unconfirmed), sampledMillis);
  }

  private static Target target(CapacityDecision decision, long sampledMillis) {
    return Target.of(POLICY.key(), decision, decision.reason(), null, sampledMillis);
  }
}
