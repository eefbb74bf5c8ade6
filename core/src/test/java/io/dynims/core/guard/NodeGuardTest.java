package io.dynims.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.dynims.core.hint.HintLedger;
import io.dynims.core.law.Action;
import io.dynims.core.law.LawType;
import io.dynims.core.law.Limit;
import io.dynims.core.law.MemorySize;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Decider;
import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnLostControl;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.SharePolicy;
import io.dynims.core.wire.Target;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeGuardTest {

  private static final long M = 100_000;
  private static final long UMAX = 50_000;
  private static final long START = 1_800_000_000_000L;

  /** A node whose jobs, and whose tier's readers, take memory at once. */
  private static final class Node {

    final NodeGuard guard;
    long jobBytes;
    long capacityBytes = UMAX;
    long usedBytes = UMAX;
    long unpersistedBytes;
    long nowMillis = START;
    double peak;
    Target last;

    Node(Policy policy) {
      guard = new NodeGuard(policy, new HintLedger());
    }

    void tick(long newJobBytes, boolean leased) {
      nowMillis += 100;
      jobBytes = newJobBytes;
      usedBytes = capacityBytes;
      long v = jobBytes + usedBytes;
      peak = Math.max(peak, (double) v / M);
      guard.observe(v, M, -1, nowMillis);
      if (leased) {
        guard.standBy();
        last = guard.isCritical() ? guard.brake(ack(), v, nowMillis) : null;
      } else {
        last = guard.decide(ack(), v, nowMillis);
      }
      if (last != null) {
        assertThat(last.decidedBy()).isEqualTo(Decider.Guard);
        capacityBytes = last.desiredBytes();
        usedBytes = Math.min(usedBytes, capacityBytes);
      }
    }

    Ack ack() {
      return new Ack(
          "n",
          "t",
          capacityBytes,
          capacityBytes,
          usedBytes,
          0L,
          unpersistedBytes,
          null,
          AckStatus.Applied,
          "",
          nowMillis,
          nowMillis,
          null,
          null,
          null);
    }
  }

  @Test
  void itsRoomIsWhatTheLastSampleShowsBelowTheThreshold() {
    Policy policy = policy(LawType.Forecast, OnLostControl.Follow);
    NodeGuard guard = new NodeGuard(policy, new HintLedger());
    assertThat(guard.policy()).isSameAs(policy);

    guard.observe(70_000, M, -1, START);
    assertThat(guard.roomBytes()).isEqualTo(25_000);
    guard.observe(96_000, M, -1, START + 100);
    assertThat(guard.roomBytes()).isZero();
  }

  @Test
  void seesWhatJobsTakeOfAHintWhileAControllerHasTheTier() {
    HintLedger hints = new HintLedger();
    NodeGuard guard = new NodeGuard(policy(LawType.Forecast, OnLostControl.Follow), hints);
    Hint hint = new Hint("job", 30_000, START, START + 60_000);
    long[] jobBytes = {10_000, 10_000, 15_000, 22_000};
    for (int i = 0; i < jobBytes.length; i++) {
      long nowMillis = START + 200L * i;
      Ack inForce =
          new Ack(
              "n",
              "t",
              50_000L,
              50_000L,
              50_000L,
              0L,
              0L,
              null,
              AckStatus.Applied,
              "",
              nowMillis,
              nowMillis,
              List.of(hint),
              null,
              null);
      guard.observe(50_000 + jobBytes[i], M, -1, nowMillis);
      guard.standBy();
      guard.watch(inForce, 50_000 + jobBytes[i]);
    }

    assertThat(hints.hintedBytes).isEqualTo(30_000 - 12_000);
  }

  @ParameterizedTest
  @EnumSource(LawType.class)
  void aBurstWithoutAControllerNeverPassesTheNodesMemory(LawType law) {
    Node node = new Node(policy(law, OnLostControl.Follow));
    long jobBytes = 44_000;
    for (int i = 0; i < 10; i++) {
      node.tick(jobBytes, false);
    }
    for (; jobBytes < 80_000; jobBytes += 1_000) { // 1 % of M a tick, as in fault 1.
      node.tick(jobBytes, false);
    }
    assertThat(node.peak).isLessThan(1);
    for (int i = 0; i < 30; i++) {
      node.tick(jobBytes, false);
    }
    assertThat(node.capacityBytes).isCloseTo(15_000, org.assertj.core.data.Offset.offset(600L));

    for (int i = 0; i < 40; i++) {
      node.tick(40_000, false);
    }
    assertThat(node.capacityBytes).as("the burst is over").isGreaterThan(49_000);
  }

  @ParameterizedTest
  @EnumSource(OnLostControl.class)
  void brakesInEveryModeUnderALeaseToo(OnLostControl mode) {
    for (boolean leased : new boolean[] {true, false}) {
      Node node = new Node(policy(LawType.Feedback, mode));
      for (long jobBytes = 45_000; jobBytes < 80_000; jobBytes += 1_500) {
        node.tick(jobBytes, leased);
      }
      assertThat(node.peak).as("%s, leased: %s", mode, leased).isLessThan(1);
    }
  }

  @Test
  void brakesUnderABudgetAboveTheNodesMemory() {
    Policy policy = policy(LawType.Forecast, OnLostControl.Follow);
    Node node = new Node(policy.with(policy.mode(), policy.threshold(), 2 * M));
    node.tick(48_000, true);
    assertThat(node.last.desiredBytes()).isEqualTo(47_000);

    NodeGuard guard =
        new NodeGuard(policy.with(policy.mode(), policy.threshold(), 2 * M), new HintLedger());
    guard.observe(96_000, M, 1_000, START);
    guard.observe(96_000, M, 1_000 + 20_000, START + 100);
    assertThat(guard.isCritical()).as("under pressure").isTrue();
    assertThat(guard.roomBytes()).isZero();
  }

  @Test
  void saysWhatTheBrakeDid() {
    Node node = new Node(policy(LawType.Forecast, OnLostControl.Keep));
    node.tick(48_000, true);

    assertThat(node.last.limitedBy()).isEqualTo(Limit.Guard);
    assertThat(node.last.action()).isEqualTo(Action.Shrink);
    assertThat(node.last.desiredBytes()).isEqualTo(47_000);
    assertThat(node.last.reason())
        .isEqualTo(
            "the guard brakes; utilization 0.9800 is above the threshold 0.9500: shrinking by 3000 bytes");
  }

  @Test
  void takesNothingMoreWhileTheTierFreesWhatItWasTold() {
    Node node = new Node(policy(LawType.Forecast, OnLostControl.Keep));
    node.tick(48_000, true);
    assertThat(node.capacityBytes).isEqualTo(47_000);

    assertThat(brakesOfSlowTier(node, 50_000, 150, 20)).as("3,000 in 2 s").isZero();
    assertThat(node.capacityBytes).isEqualTo(47_000);
  }

  @Test
  void takesNothingMoreOfATierThatFreesSlowly() {
    Node node = new Node(policy(LawType.Forecast, OnLostControl.Keep));
    node.tick(68_000, true);
    assertThat(node.capacityBytes).isEqualTo(27_000);

    assertThat(brakesOfSlowTier(node, 50_000, 300, 20)).as("23,000 in 8 s").isZero();
  }

  @Test
  void takesMoreSoonOfATierThatFreesNoMore() {
    Node node = new Node(policy(LawType.Forecast, OnLostControl.Keep));
    node.tick(68_000, true);
    assertThat(brakesOfSlowTier(node, 50_000, 300, 20)).isZero();

    assertThat(brakesOfSlowTier(node, 44_000, 0, 3)).as("in 0.3 s").isEqualTo(1);
    assertThat(node.capacityBytes).isEqualTo(10_000);
  }

  @Test
  void takesMoreOfATierThatHoldsMoreThanItsCapacityForGood() {
    Node node = new Node(policy(LawType.Forecast, OnLostControl.Keep));
    node.tick(48_000, true);

    assertThat(brakesOfSlowTier(node, 50_000, 0, 20)).isPositive();
    assertThat(node.capacityBytes).isLessThanOrEqualTo(44_000);
  }

  /** How often a full node is braked whose tier frees so much a tick. */
  private static int brakesOfSlowTier(Node node, long heldBytes, long freedBytes, int ticks) {
    int brakes = 0;
    for (int i = 0; i < ticks; i++) {
      node.nowMillis += 100;
      heldBytes = Math.max(node.capacityBytes, heldBytes - freedBytes);
      node.usedBytes = heldBytes;
      long v = node.jobBytes + heldBytes;
      node.guard.observe(v, M, -1, node.nowMillis);
      Target braked =
          node.guard.isCritical() ? node.guard.brake(node.ack(), v, node.nowMillis) : null;
      if (braked != null) {
        brakes++;
        node.capacityBytes = braked.desiredBytes();
      }
    }
    return brakes;
  }

  @Test
  void doesNotInterfereBelowTheCriticalUtilization() {
    Node node = new Node(policy(LawType.Forecast, OnLostControl.Follow));
    node.tick(47_400, true);
    assertThat(node.last).as("0.974; critical is 0.975").isNull();
    node.tick(47_600, true);
    assertThat(node.last).isNotNull();
  }

  @Test
  void brakesBeforeTheNextSampleWouldBeAboveTheNodesMemory() {
    Node node = new Node(policy(LawType.Forecast, OnLostControl.Follow));
    node.tick(42_000, true);
    node.tick(46_500, true);
    assertThat(node.last).as("0.965 after 0.92").isNotNull();
  }

  @Test
  void aRiseSinceASampleLongAgoIsNotExpectedAgainWithinAnInterval() {
    NodeGuard guard =
        new NodeGuard(policy(LawType.Forecast, OnLostControl.Follow), new HintLedger());
    guard.observe(80_000, M, -1, START);
    guard.observe(92_000, M, -1, START + 800);
    assertThat(guard.isCritical()).as("1,500 in 100 ms").isFalse();

    guard.observe(96_500, M, -1, START + 900);
    assertThat(guard.isCritical()).as("4,500 in 100 ms").isTrue();
  }

  @Test
  void memoryPressureMakesItBrakeAtTheThreshold() {
    NodeGuard guard =
        new NodeGuard(policy(LawType.Forecast, OnLostControl.Follow), new HintLedger());
    guard.observe(96_000, M, 1_000, START);
    assertThat(guard.isCritical()).isFalse();
    guard.observe(96_000, M, 1_000 + 20_000, START + 100);
    assertThat(guard.isCritical()).as("a fifth of the time").isTrue();
    guard.observe(94_000, M, 1_000 + 60_000, START + 200);
    assertThat(guard.isCritical()).as("below r0 the tier is not to blame").isFalse();
  }

  @Test
  void neverTakesWhatExistsNowhereElse() {
    Node node = new Node(policy(LawType.Forecast, OnLostControl.Follow));
    node.unpersistedBytes = 49_500;
    node.tick(60_000, true);
    assertThat(node.capacityBytes).isEqualTo(49_500);
    node.tick(60_000, false);
    assertThat(node.capacityBytes).isEqualTo(49_500);
  }

  @Test
  void keepsToWhatThePolicyAllows() {
    Node shrinks = new Node(policy(LawType.Forecast, OnLostControl.ShrinkOnly));
    shrinks.capacityBytes = 20_000;
    for (int i = 0; i < 20; i++) {
      shrinks.tick(30_000, false);
    }
    assertThat(shrinks.capacityBytes).as("half of the node is free").isEqualTo(20_000);
    shrinks.tick(76_000, false);
    assertThat(shrinks.capacityBytes).isLessThan(20_000);

    Node keeps = new Node(policy(LawType.Forecast, OnLostControl.Keep));
    keeps.tick(46_000, false);
    assertThat(keeps.last).as("above r0, below critical").isNull();

    Node falls = new Node(policy(LawType.Forecast, OnLostControl.Fallback));
    falls.tick(10_000, false);
    assertThat(falls.capacityBytes).isEqualTo(10_000);
    falls.tick(10_000, false);
    assertThat(falls.last).isNull();
  }

  @Test
  void watchingDoesNotAllocate() {
    NodeGuard guard =
        new NodeGuard(policy(LawType.Forecast, OnLostControl.Follow), new HintLedger());
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = 0;
    boolean critical = false;
    for (int round = 0; round < 3; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 100_000; i++) {
        guard.observe(90_000, M, i, START + i * 100L);
        critical |= guard.isCritical();
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(critical).isFalse();
    assertThat(allocated).as("bytes in 100,000 samples").isLessThan(10_000);
  }

  @ParameterizedTest
  @EnumSource(LawType.class)
  void guardsOfTwoTiersTogetherDoWhatOneDoes(LawType law) {
    Policy alone = policy(law, OnLostControl.Follow);
    Node one = new Node(alone);
    Node[] two = {new Node(shared(alone, 1, 4)), new Node(shared(alone, 3, 4))};
    two[0].capacityBytes = UMAX / 4;
    two[1].capacityBytes = UMAX - UMAX / 4;
    for (int tick = 0; tick < 100; tick++) {
      long jobs = tick < 20 ? 30_000 : tick < 50 ? 30_000 + (tick - 20) * 1_000 : 50_000;
      one.tick(jobs, false);
      long first = two[0].capacityBytes;
      two[0].tick(jobs + two[1].capacityBytes, false);
      two[1].tick(jobs + first, false);

      assertThat(jobs + one.capacityBytes).isLessThanOrEqualTo(M);
      assertThat(jobs + two[0].capacityBytes + two[1].capacityBytes).isLessThanOrEqualTo(M);
    }
    assertThat(two[0].capacityBytes + two[1].capacityBytes)
        .isCloseTo(one.capacityBytes, within(one.capacityBytes / 20));
  }

  @Test
  void guardsOfTwoTiersTakeNoMoreTogetherThanIsTooMuch() {
    Policy alone = policy(LawType.Forecast, OnLostControl.Keep);
    Node first = new Node(shared(alone, 1, 4));
    Node second = new Node(shared(alone, 3, 4));
    first.capacityBytes = 20_000;
    second.capacityBytes = 30_000;

    first.tick(48_000 + 30_000, true);
    second.tick(48_000 + 20_000, true);

    assertThat(20_000 - first.capacityBytes).isEqualTo(750);
    assertThat(30_000 - second.capacityBytes).isEqualTo(2_250);
  }

  @Test
  void oneOfTwoTiersMakesAllTheRoomWithinASecondWhereTheOtherHasNoneToGive() {
    Node node = new Node(shared(policy(LawType.Forecast, OnLostControl.Keep), 1, 4));
    node.tick(49_000, true);
    for (int i = 0; i < 9; i++) {
      node.tick(49_000, true);
    }

    assertThat(node.guard.isCritical()).isFalse();
  }

  private static Policy shared(Policy policy, double weight, double nodeWeight) {
    return new Policy(
        policy.node(),
        policy.tier(),
        policy.mode(),
        policy.law(),
        policy.threshold(),
        policy.gain(),
        policy.forecast(),
        policy.minBytes(),
        policy.minRatio(),
        policy.maxBytes(),
        policy.maxRatio(),
        policy.memoryBudgetBytes(),
        policy.intervalMillis(),
        policy.staleAfterMillis(),
        policy.onDelete(),
        policy.unpersisted(),
        policy.guard(),
        new SharePolicy(weight, nodeWeight, false));
  }

  private static Policy policy(LawType law, OnLostControl mode) {
    GuardPolicy guard =
        new GuardPolicy(
            mode, null, 0.1, mode == OnLostControl.Fallback ? MemorySize.ofRatio(0.1) : null);
    return new Policy(
        "n",
        "t",
        Mode.Enforce,
        law,
        0.95,
        law.defaultGain(),
        law.defaults(100),
        0L,
        null,
        UMAX,
        null,
        null,
        100,
        2_000,
        null,
        null,
        guard,
        SharePolicy.DEFAULT);
  }
}
