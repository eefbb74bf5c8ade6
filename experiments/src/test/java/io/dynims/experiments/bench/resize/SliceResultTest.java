package io.dynims.experiments.bench.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.bench.resize.FullTier.Shrink;
import org.junit.jupiter.api.Test;

class SliceResultTest {

  private final SliceResult result = new SliceResult(32);

  @Test
  void reportsTheMedianOfWholeShrinksAndOfTheLimit() {
    result.add(100, new Shrink(1_000, 1_000_000_000));
    result.add(100, new Shrink(9_000, 1_000_000_000));
    result.add(100, new Shrink(3_000, 500_000_000));
    result.add(10, new Shrink(1, 1_000_000_000));
    result.addLimit(new Shrink(8_000, 1_000_000_000));
    result.addLimit(new Shrink(16_000, 1_000_000_000));

    SliceResult.Figures figures = result.figures();

    assertThat(figures.freedBytesPerSecond()).isEqualTo(6_000);
    assertThat(figures.limitBytesPerSecond()).isEqualTo(12_000);
    assertThat(figures.ratio()).isEqualTo(0.5);
    assertThat(figures.shrinkMillis()).containsOnlyKeys(10, 100);
    assertThat(figures.shrinkMillis().get(100).count()).isEqualTo(3);
  }

  @Test
  void hasNoRatioWithoutMeasurements() {
    assertThat(result.figures().ratio()).isZero();
    assertThat(result.figures().readMillis().rest().count()).isZero();
  }
}
