package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FuseMountTest {

  @Test
  void otherMountsAreNotTheUsualOne() {
    assertThat(FuseMount.USUAL.isUsual()).isTrue();
    assertThat(new FuseMount(FuseMount.USUAL_OPTIONS, 1 << 20).isUsual()).isFalse();
    assertThat(new FuseMount("direct_io", 0).isUsual()).isFalse();
  }

  @Test
  void optionsThatCannotBeInTheNameOfAFileAreRefused() {
    assertThat(new FuseMount("direct_io,max_read=65536", 1 << 20).fileName())
        .isEqualTo("direct_io+max_read=65536-ahead1024Ki");
    assertThatThrownBy(() -> new FuseMount("data_cache=/tmp", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data_cache=/tmp");
  }
}
