package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.loop.PushGate.Kind;
import io.dynims.core.loop.PushGate.Step;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import org.junit.jupiter.api.Test;

class PushGateTest {

  private static final long START = NodeLoopHarness.START;
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
    gate.offer(target(500, START));

    assertThat(next(NodeLoopHarness.policy(POLICY, 5_000, 5_000), START).leaseMillis())
        .isEqualTo(15_000);
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
    gate.answered(next(START + 200).target(), false, 0, 0);

    gate.offer(target(600, START + 300));
    assertThat(next(START + 300).kind()).isEqualTo(Kind.Push);
  }

  /** Pushes a target whose answer says that it is in force and that the tier holds 100 bytes. */
  private void push(long desiredBytes, long nowMillis) {
    gate.offer(target(desiredBytes, nowMillis));
    Step step = next(nowMillis);
    assertThat(step.kind()).isEqualTo(Kind.Push);
    gate.answered(step.target(), true, desiredBytes, 100);
  }

  private Step next(long nowMillis) {
    return next(POLICY, nowMillis);
  }

  private Step next(Policy policy, long nowMillis) {
    return gate.next(policy, nowMillis, nowMillis * 1_000_000);
  }

  private static Target target(long desiredBytes, long sampledMillis) {
    var input = new LawInput(desiredBytes, 100, 950, 1_000, sampledMillis);
    var decision = CapacityDecision.bounded(input, POLICY.parameters(1_000), 0);
    return Target.of(POLICY.key(), decision, decision.reason(), null, sampledMillis);
  }

  private static Target stale() {
    var input = new LawInput(500, 100, 950, 1_000, START);
    var decision = CapacityDecision.stale(input, POLICY.parameters(1_000));
    return Target.of(POLICY.key(), decision, decision.reason(), null, START);
  }
}
