package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Action;
import io.dynims.core.law.Limit;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import org.junit.jupiter.api.Test;

/** A tier that has not told lately which capacity is in force. */
class NodeLoopUnconfirmedTest extends NodeLoopHarness {

  @Test
  void holdsATierWhoseLastAckIsTooOldAndDecidesWithTheNextOne() {
    ready();
    run(100, 2_000);
    assertThat(fresh()).hasSize(20).noneMatch(t -> t.limitedBy() == Limit.Unconfirmed);

    run(2_100, 4_000);
    assertThat(fresh())
        .as("the target still goes out each interval")
        .hasSize(20)
        .allSatisfy(
            t -> {
              assertThat(t.action()).isEqualTo(Action.Hold);
              assertThat(t.limitedBy()).isEqualTo(Limit.Unconfirmed);
              assertThat(t.desiredBytes()).isEqualTo(500);
            });

    know(ack("a", 300, 0));
    run(4_100, 4_100);
    Target decided = one();
    assertThat(decided.previousBytes()).isEqualTo(300);
    assertThat(decided.action()).isEqualTo(Action.Grow);
  }

  @Test
  void aFailedPushConfirmsNothing() {
    ready();
    at(START + 2_100);
    fresh();
    know(Ack.failed(new TierKey(NODE, "a"), 600, "gone", 0, START));
    sample(START + 2_100, 500);
    assertThat(one().limitedBy()).isEqualTo(Limit.Unconfirmed);
  }

  @Test
  void aSlowPolicyIsDecidedWithTheFirstSampleAfterTheAck() {
    know(policy(POLICY, 5_000, 5_000));
    know(ack("a", 500, 0));
    sample(START, 500);
    run(100, 5_000);
    fresh();
    run(5_100, 8_700);
    assertThat(fresh()).isEmpty();
    run(8_800, 8_800);
    assertThat(one().limitedBy()).isEqualTo(Limit.Unconfirmed);
    know(ack("a", 400, 0));
    run(8_900, 8_900);
    assertThat(one().previousBytes()).isEqualTo(400);
    run(9_000, 12_600);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void leavesWhatTheLawRemembersAsItIsAndForgetsTheDecisionThatWasOnItsWay() {
    know(FORECAST);
    know(ack("a", 500, 500));
    sample(START, 990, 500, null);
    NodeModel remembered = state.model.clone();
    at(START + 2_500);
    sample(START + 2_500, 990, 500, null);
    assertThat(state.model)
        .usingRecursiveComparison()
        .ignoringFields("blockedMillis")
        .as("all but for how long there has been room")
        .isEqualTo(remembered);

    know(ack("a", 100, 100));
    at(START + 2_600);
    sample(START + 2_600, 300);
    assertThat(fresh())
        .filteredOn(t -> t.sampledMillis() == START + 2_600)
        .extracting(Target::tierUsedBytes)
        .containsExactly(100L);
  }

  private void run(long fromMillis, long toMillis) {
    for (long t = START + fromMillis; t <= START + toMillis; t += 100) {
      at(t);
      sample(t, 500);
    }
  }
}
