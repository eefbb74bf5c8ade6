package io.dynims.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StepSizeTest {

  private static final long STALL_NANOS = millis(1);

  private final StepSize size = new StepSize(STALL_NANOS);
  private long nowNanos = -1;

  @Test
  void stepsGrowWhileNobodyWaits() {
    for (int i = 0; i < 10; i++) {
      assertThat(step(0, STALL_NANOS)).isZero();
    }
    assertThat(size.bytes()).isEqualTo(StepSize.MAX_BYTES);
  }

  @Test
  void stepsShrinkWhileTheyMakeOthersWait() {
    for (int i = 0; i < 10; i++) {
      assertThat(step(millis(1), millis(5))).isEqualTo(millis(4));
    }
    assertThat(size.bytes()).isEqualTo(StepSize.MIN_BYTES);
  }

  @Test
  void stepsAreLargeWhereOthersWaitForLongAnyway() {
    Random random = new Random(45);
    long givenBytes = 0;
    int steps = 1_000;
    for (int i = 0; i < steps; i++) {
      givenBytes += size.bytes();
      step((long) (millis(20) * random.nextDouble()), (long) (millis(20) * random.nextDouble()));
    }
    assertThat(givenBytes / steps).isGreaterThan(StepSize.MAX_BYTES / 3);
  }

  @Test
  void stepsShrinkOnABusyServerIfTheyAddToItsWaits() {
    for (int i = 0; i < 10; i++) {
      step(millis(20), millis(30));
    }
    assertThat(size.bytes()).isEqualTo(StepSize.MIN_BYTES);
  }

  @Test
  void whatOthersWaitedLongAgoDoesNotCount() {
    step(millis(500), millis(500));
    long bytes = size.bytes();
    nowNanos += TimeUnit.SECONDS.toNanos(1);

    assertThat(step(millis(0), millis(5))).isEqualTo(millis(5));
    assertThat(size.bytes()).isEqualTo(bytes / 2);
  }

  private long step(long usualNanos, long waitedNanos) {
    nowNanos += millis(30);
    size.noteUsual(usualNanos, nowNanos);
    return size.noteStep(waitedNanos);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
