package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TicksTest {

  @Test
  void countsOnlySamplesSentDuringTheMeasurement() {
    Ticks ticks = new Ticks(2);
    ticks.sent(0, 100);
    ticks.measure(true);
    ticks.sent(1, 200);
    ticks.measure(false);
    ticks.sent(1, 300);

    ticks.answered(0, 100, 105);
    ticks.answered(1, 200, 207);
    ticks.answered(1, 300, 309);

    assertThat(ticks.counted()).isEqualTo(1);
    assertThat(ticks.missed()).isZero();
    assertThat(ticks.millis().max()).isCloseTo(7, within(0.01));
  }

  @Test
  void anUnansweredSampleIsMissedAndAnAnswerCountsOnce() {
    Ticks ticks = new Ticks(1);
    ticks.measure(true);
    ticks.sent(0, 100);
    ticks.sent(0, 200);

    ticks.answered(0, 200, 203);
    ticks.answered(0, 200, 290);

    assertThat(ticks.missed()).isEqualTo(1);
    assertThat(ticks.millis().count()).isEqualTo(1);
  }
}
