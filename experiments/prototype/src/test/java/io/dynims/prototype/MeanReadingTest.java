package io.dynims.prototype;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.MemoryReading;
import org.junit.jupiter.api.Test;

class MeanReadingTest {

  private final MeanReading mean = new MeanReading();

  @Test
  void averagesReadingsAtTheTimeOfTheLastOne() {
    MeanReading.Sum sum = mean.createAccumulator();
    sum = mean.add(reading(1_100, 40), sum);
    sum = mean.add(reading(1_000, 20), sum);

    assertThat(mean.getResult(sum)).isEqualTo(reading(1_100, 30));
  }

  @Test
  void doesNotDependOnHowSumsAreMerged() {
    MeanReading.Sum one = mean.add(reading(1_000, 20), mean.createAccumulator());
    MeanReading.Sum other = mean.add(reading(1_100, 40), mean.createAccumulator());

    assertThat(mean.getResult(mean.merge(mean.merge(mean.createAccumulator(), one), other)))
        .isEqualTo(reading(1_100, 30));
  }

  private static MemoryReading reading(long sampledMillis, long availableBytes) {
    return new MemoryReading("n", sampledMillis, MemoryReading.WHOLE, 100, availableBytes);
  }
}
