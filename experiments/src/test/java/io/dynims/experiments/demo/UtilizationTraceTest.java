package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UtilizationTraceTest {

  private final UtilizationTrace trace = new UtilizationTrace();

  @Test
  void settlesOnceItStaysWithinTheBounds() {
    add(1000, 120, 110, 101, 100, 99, 100, 100);

    assertThat(trace.settleMillis(1000, 9000, 98, 102)).hasValue(200);
  }

  @Test
  void passingThroughIsNotSettling() {
    add(1000, 120, 100, 80, 80, 80, 80, 100, 100, 100, 100);

    assertThat(trace.settleMillis(1000, 9000, 98, 102)).hasValue(600);
  }

  @Test
  void doesNotSettleWithoutStayingLongEnough() {
    add(1000, 120, 120, 120, 100, 100);

    assertThat(trace.settleMillis(1000, 9000, 98, 102)).isEmpty();
    assertThat(trace.settleMillis(5000, 9000, 98, 102)).isEmpty();
  }

  @Test
  void sumsTheTimeAboveALimit() {
    add(1000, 90, 101, 102, 90, 101, 90);

    assertThat(trace.overMillis(1000, 9000, 100)).isEqualTo(300);
    assertThat(trace.overMillis(1000, 9000, 101)).isEqualTo(100);
    assertThat(trace.overMillis(1300, 9000, 100)).isEqualTo(100);
  }

  @Test
  void findsTheMaximumWithinATime() {
    add(1000, 200, 101, 102, 90, 300);

    assertThat(trace.maxUsedBytes(1100, 1300)).isEqualTo(102);
    assertThat(trace.maxUsedBytes(8000, 9000)).isZero();
  }

  @Test
  void knowsTheMemoryAtATime() {
    assertThat(trace.usedBytesFrom(1000)).isZero();
    add(1000, 200, 101, 102);

    assertThat(trace.usedBytesFrom(0)).isEqualTo(200);
    assertThat(trace.usedBytesFrom(1001)).isEqualTo(101);
    assertThat(trace.usedBytesFrom(1200)).isEqualTo(102);
    assertThat(trace.usedBytesFrom(1300)).isEqualTo(102);
  }

  private void add(long fromMillis, long... every100Millis) {
    for (int i = 0; i < every100Millis.length; i++) {
      trace.add(fromMillis + 100L * i, every100Millis[i]);
    }
  }
}
