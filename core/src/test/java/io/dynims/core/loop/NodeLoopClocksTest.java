package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clocks of the nodes and of the loop's host are set, by an hour or less than makes stale. */
class NodeLoopClocksTest extends NodeLoopHarness {

  private static final long HOUR = 3_600_000;

  @ParameterizedTest
  @ValueSource(longs = {-HOUR, -2_500, -1_900, -300, 300, 1_900, 2_500, HOUR})
  void decidesAgainWithinTheTimeThatMakesStaleWhenAllClocksAreSet(long stepMillis) {
    ready();
    long last = START;
    long most = 0;
    for (long elapsed = 100; elapsed <= 10_000; elapsed += 100) {
      long now = START + stepMillis + elapsed;
      set(now);
      know(ack("a", 500, 0));
      sample(now, 500);
      if (fresh().stream().anyMatch(t -> t.limitedBy() != Limit.Stale)) {
        last = START + elapsed;
      }
      most = Math.max(most, START + elapsed - last);
      assertThat(state.timerMillis).isBetween(1L, now + 2_000);
    }
    assertThat(most).as("longest time without a decision").isLessThanOrEqualTo(2_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {-HOUR, HOUR})
  void aNodeThatFallsSilentAfterTheClocksAreSetHolds(long stepMillis) {
    ready();
    long start = START + stepMillis;
    set(start);
    sample(start, 500);
    fresh();
    at(start + 4_000);
    assertThat(fresh()).extracting(Target::limitedBy).containsExactly(Limit.Stale);
  }

  @Test
  void aNodeThatFellSilentAsTheClockWasSetBackHoldsAsSoonAsItsTierIsAcknowledged() {
    ready();
    long start = START - HOUR;
    set(start + 100);
    know(ack("a", 500, 0));
    at(start + 4_200);
    assertThat(fresh()).extracting(Target::limitedBy).containsExactly(Limit.Stale);
  }

  @Test
  void aTimerThatIsFarTooEarlyOrLateTellsNothingOfTheNode() {
    ready();
    set(START + HOUR);
    timer();
    assertThat(fresh()).isEmpty();
    assertThat(state.timerMillis).isEqualTo(START + HOUR + 2_000);

    set(START);
    timer();
    assertThat(fresh()).isEmpty();
    assertThat(state.timerMillis).isEqualTo(START + 2_000);
    set(START + 2_000);
    timer();
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
  }

  @Test
  void theStockPluginTakesOverFromAReaderThatWasHeardBeforeTheClockWasSetBack() {
    ready();
    long now = START - HOUR;
    set(now);
    know(ack("a", 500, 0));
    for (int part = 0; part < 6; part++) {
      part(now, part, 100);
    }
    assertThat(one().memoryTotalBytes()).isEqualTo(600);
  }

  @Test
  void anAckThatNoPolicyNamesIsForgottenAlsoWhenTheClockWasSetBack() {
    ready();
    know(ack("b", 500, 0));
    set(START - HOUR);
    sample(START - HOUR, 500);
    assertThat(state.tiers).containsOnlyKeys("a");
  }
}
