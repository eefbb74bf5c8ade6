package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StealTimeTest {

  @Test
  void isTheShareOfTimeGivenToOthers() {
    StealTime before = StealTime.of("cpu  100 0 50 800 10 0 20 20 7 0\ncpu0 1 2 3\n");
    StealTime after = StealTime.of("cpu  130 0 60 830 10 0 20 50 9 0\ncpu0 1 2 3\n");

    assertThat(before).isEqualTo(new StealTime(20, 1_000));
    assertThat(after.shareSince(before)).isCloseTo(0.3, within(1e-9));
  }

  @Test
  void isZeroIfTheKernelDoesNotReportIt() {
    assertThat(StealTime.of("")).isEqualTo(new StealTime(0, 0));
    assertThat(StealTime.of("").shareSince(StealTime.of(""))).isZero();
  }
}
