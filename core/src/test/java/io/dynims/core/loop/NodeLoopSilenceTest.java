package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Action;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeLoopSilenceTest extends NodeLoopHarness {

  @Test
  void tellsASilenceOnceAndTheReturnOnce() {
    ready();
    at(START + 1_999);
    assertThat(fresh()).isEmpty();
    at(START + 2_000);
    Target hold = one();
    assertThat(hold.action()).isEqualTo(Action.Hold);
    assertThat(hold.limitedBy()).isEqualTo(Limit.Stale);
    assertThat(hold.desiredBytes()).isEqualTo(500);
    assertThat(hold.sampledMillis()).isEqualTo(START);
    assertThat(hold.decidedMillis()).isEqualTo(START + 2_000);
    assertThat(hold.reason()).isEqualTo("no metrics for 2.0 s: the capacity stays as it is");
    at(START + 60_000);
    assertThat(fresh()).isEmpty();

    know(ack("a", 500, 0));
    sample(START + 60_000, 500);
    assertThat(one().reason()).startsWith("metrics are back after 60.0 s: utilization 0.5");
    at(START + 60_100);
    sample(START + 60_100, 500);
    assertThat(one().reason()).startsWith("utilization 0.5");
    at(START + 70_000);
    assertThat(one().limitedBy()).as("the next silence is told as well").isEqualTo(Limit.Stale);
  }

  @Test
  void aSilenceShowsNoRoom() {
    know(FORECAST);
    for (long millis = START; millis < START + 500; millis += 100) {
      at(millis);
      answer(millis);
      sample(millis, 500, 300, null);
    }
    at(START + 60_000);
    answer(START + 60_000);
    fresh();

    sample(START + 60_000, 500, 300, null);
    Target back = one();
    for (long millis = START + 60_100; millis <= START + 60_200; millis += 100) {
      at(millis);
      answer(millis);
      fresh();
      sample(millis, 500, 300, null);
    }

    assertThat(back.limitedBy()).isEqualTo(Limit.Settling);
    assertThat(one().action()).isEqualTo(Action.Grow);
  }

  /** Whatever was pushed, 300 are in force. */
  private void answer(long millis) {
    know(new Ack(NODE, "a", 300, 300, 300, AckStatus.Applied, "", millis, millis));
  }

  @Test
  void noticesSilenceEarlierWhenAPolicySaysSo() {
    ready();
    know(policy(POLICY, 100, 500));
    at(START + 500);
    assertThat(one().reason()).startsWith("no metrics for 0.5 s");
    at(START + 5_000);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void aSilentNodeWithoutAPolicyIsForgettable() {
    ready();
    assertThat(isForgettable()).isFalse();
    withdraw("a");
    at(START + 2_000);
    assertThat(fresh()).isEmpty();
    assertThat(isForgettable()).isTrue();
  }

  @Test
  void theHostsOwnAbsenceIsNotTheNodesSilence() {
    ready();
    NodeLoop restarted = new NodeLoop(state, START + 60_000, LoopObserver.NONE);
    assertThat(restarted.onTimer(START + 60_000)).isEmpty();
    assertThat(state.timerMillis).isEqualTo(START + 62_000);
    assertThat(restarted.onTimer(START + 62_000))
        .extracting(Target::limitedBy)
        .containsExactly(Limit.Stale);
  }

  /** A host goes on from the state of a while ago; the tier has been grown since. */
  @Test
  void whatATierToldBeforeARestartIsNotInForceAnyMore() {
    ready();
    NodeLoop restarted = new NodeLoop(state, START + 1_500, LoopObserver.NONE);
    Target first = decided(restarted, START + 1_500);

    restarted.onAck(ack("a", 600, 500), START + 1_510);
    Target second = decided(restarted, START + 1_600);

    assertThat(first.limitedBy()).isEqualTo(Limit.Unconfirmed);
    assertThat(second.previousBytes()).isEqualTo(600);
  }

  private static Target decided(NodeLoop loop, long millis) {
    var reading = new MemoryReading(NODE, millis, MemoryReading.WHOLE, 1_000, 300);
    List<Target> targets = loop.onSample(reading, millis);
    assertThat(targets).hasSize(1);
    return targets.get(0);
  }

  @Test
  void acksOfANodeThatNobodyNamesAreForgotten() {
    know(ack("a", 500, 0));
    assertThat(isForgettable()).isFalse();
    at(START + 2_000);
    assertThat(isForgettable()).isTrue();
  }

  @Test
  void aNodeThatNeverSentASampleIsNotSilent() {
    know(ack("a", 500, 0));
    know(POLICY);
    at(START + 60_000);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void acksOfTiersThatNoPolicyNamesDoNotPileUp() {
    ready();
    at(START + 2_000);
    one();
    for (int i = 0; i < 1_000; i++) {
      know(ack("t" + i, 500, 0));
    }
    assertThat(state.tiers).hasSizeLessThanOrEqualTo(64).containsKey("a");
    at(START + 4_100);
    know(ack("a", 500, 0));
    assertThat(state.tiers).as("the silent node's other tiers").containsOnlyKeys("a");
  }
}
