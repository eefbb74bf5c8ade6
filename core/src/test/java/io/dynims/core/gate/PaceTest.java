package io.dynims.core.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {

  private final Pace pace = new Pace(100);

  @Test
  void aFloodGetsTenInNineIntervalsThrough() {
    int taken = 0;
    for (long now = 0; now < 10_000; now++) {
      if (pace.waitNanos(now) <= 0) {
        pace.taken(now);
        taken++;
      }
    }

    assertThat(taken).isBetween(110, 113);
  }

  @Test
  void noTwoAreCloserThanHalfAnInterval() {
    pace.taken(1_000);

    assertThat(pace.waitNanos(1_010)).isEqualTo(40);
    assertThat(pace.waitNanos(1_050)).isLessThanOrEqualTo(0);
  }

  @Test
  void oneThatCameLateDelaysNoneOfThoseThatFollowOnTime() {
    pace.taken(0);
    pace.taken(170);

    assertThat(pace.waitNanos(220)).isLessThanOrEqualTo(0);
    pace.taken(220);
    for (long now = 300; now < 10_000; now += 100) {
      assertThat(pace.waitNanos(now)).isLessThanOrEqualTo(0);
      pace.taken(now);
    }
  }

  @Test
  void aNodeWhoseClockRunsFastNeverHasToWait() {
    Pace precise = new Pace(100_000);
    // By this clock its ticks are half a per mille closer than an interval; now and then one is
    // late.
    for (long tick = 1; tick < 100_000; tick++) {
      long now = tick * 99_950 + (tick % 600 == 0 ? 40_000 : 0);
      assertThat(precise.waitNanos(now)).isLessThanOrEqualTo(0);
      precise.taken(now);
    }
  }

  @Test
  void waitsThroughAnyStartOfTheClock() {
    pace.taken(Long.MAX_VALUE - 10);

    assertThat(pace.waitNanos(Long.MIN_VALUE + 9)).isEqualTo(30);
  }
}
