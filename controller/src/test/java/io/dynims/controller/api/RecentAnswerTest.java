package io.dynims.controller.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentAnswerTest {

  private long nanos;
  private int asked;

  @Test
  void isKeptForFiftyTimesAsLongAsItTook() {
    RecentAnswer<Integer> answer =
        new RecentAnswer<>(
            fleet -> {
              nanos += 10;
              return ++asked;
            },
            () -> nanos);

    assertThat(answer.apply(null)).isEqualTo(1);
    nanos += 499;
    assertThat(answer.apply(null)).isEqualTo(1);
    nanos += 1;
    assertThat(answer.apply(null)).isEqualTo(2);
  }
}
