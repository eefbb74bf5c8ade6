package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoverageTest {

  private final Coverage coverage = new Coverage(2);

  @Test
  void isTimedWhenTheLastNodeComesForTheFirstTime() {
    coverage.begin(1_000_000_000L);
    coverage.add(1, 2_000_000_000L);
    coverage.add(1, 3_000_000_000L);
    assertThat(coverage.nodes()).isEqualTo(1);
    assertThat(coverage.seconds()).isNull();

    coverage.add(0, 4_500_000_000L);
    coverage.add(0, 9_000_000_000L);
    assertThat(coverage.nodes()).isEqualTo(2);
    assertThat(coverage.seconds()).isEqualTo(3.5);
  }
}
