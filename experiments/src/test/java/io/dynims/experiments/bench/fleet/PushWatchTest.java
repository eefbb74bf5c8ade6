package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PushWatchTest {

  private final PushWatch watch = new PushWatch(2);

  @Test
  void aPushOfAnEarlierTermIsRefused() {
    assertThat(watch.accept(0, 5, 1_000_000)).isTrue();
    assertThat(watch.accept(0, 4, 2_000_000)).isFalse();
    assertThat(watch.accept(1, 4, 2_000_000)).as("of another node").isTrue();
    assertThat(watch.refused()).isEqualTo(1);
  }

  @Test
  void tellsWhichNodesHaveAnotherControllerSinceATime() {
    watch.accept(0, 5, 1_000_000);
    watch.accept(1, 5, 1_000_000);
    watch.accept(1, 9, 8_000_000);
    watch.accept(1, 9, 9_000_000);

    assertThat(watch.changedAfterMillis(3_000_000).count()).isEqualTo(1);
    assertThat(watch.changedAfterMillis(3_000_000).max()).isBetween(4.9, 5.1);
    assertThat(watch.notPushedSince(3_000_000)).isEqualTo(1);
  }
}
