package io.dynims.controller.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DutyCycleTest {

  /** Such as System.nanoTime() may say. */
  private static final long START = -5_000_000_000L;

  private final DutyCycle cycle = new DutyCycle(START);

  @Test
  void theFirstWorkNeedNotWait() {
    assertThat(cycle.restMillis(START)).isZero();
  }

  @Test
  void workThatNeverEndsTakesAQuarterOfTheTime() {
    long now = START;
    long worked = 0;
    for (int i = 1; i <= 10; i++) {
      now += TimeUnit.MILLISECONDS.toNanos(cycle.restMillis(now));
      long took = TimeUnit.MILLISECONDS.toNanos(i * 10L);
      cycle.worked(now, now + took);
      now += took;
      worked += took;
    }
    now += TimeUnit.MILLISECONDS.toNanos(cycle.restMillis(now));

    assertThat(4 * worked).isEqualTo(now - START);
  }

  @Test
  void whoeverAsksLaterNeedNotWait() {
    cycle.worked(START, START + TimeUnit.SECONDS.toNanos(1));

    assertThat(cycle.restMillis(START + TimeUnit.SECONDS.toNanos(3))).isEqualTo(1_000);
    assertThat(cycle.restMillis(START + TimeUnit.SECONDS.toNanos(9))).isZero();
  }
}
