package io.dynims.core.law;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OscillationGuardTest {

  private static final long SET_POINT = (long) (0.95 * ForecastLoop.TOTAL_BYTES);

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aFigureThatLagsIsSeenAndGrowthSlowedUntilTheSwingIsGone(int lagTicks) {
    ForecastLoop loop = ForecastLoop.at(0.95, 1_500_000);
    loop.usedLagTicks = lagTicks;
    loop.ticks(20, SET_POINT - 1_500_000);
    loop.ticks(200, SET_POINT - 1_000_000);

    List<ForecastLoop.Tick> after = loop.all().subList(20, 220);
    int firstTurn = firstTurn(after);
    assertThat(after.subList(0, firstTurn + 20))
        .as("seen within 20 ticks")
        .anyMatch(t -> t.decision().forecast().oscillating());
    assertThat(travel(after.subList(100, 200)))
        .as("capacity's travel once growth is slow")
        .isLessThan(travel(after.subList(0, 50)) / 4);
  }

  @Test
  void aSwingingLoadIsNoSwingOfTheTiers() {
    ForecastLoop loop = ForecastLoop.at(0.95, 1_500_000);
    for (int i = 0; i < 300; i++) {
      boolean high = i / 5 % 2 == 0;
      loop.tick(SET_POINT - (high ? 900_000 : 1_500_000));
    }

    assertThat(loop.all()).noneMatch(t -> t.decision().forecast().oscillating());
  }

  @Test
  void anUnfilledTierAndNoiseAreNoSwing() {
    ForecastLoop loop = ForecastLoop.at(0.95, 1_500_000);
    loop.fillBytesPerTick = 30_000;
    var random = new java.util.Random(3);
    for (int i = 0; i < 300; i++) {
      long noise = Math.round((2 * random.nextDouble() - 1) * 0.01 * ForecastLoop.TOTAL_BYTES);
      loop.tick(SET_POINT - 1_500_000 + (i > 100 && i < 150 ? 700_000 : 0) + noise);
    }

    assertThat(loop.all()).noneMatch(t -> t.decision().forecast().oscillating());
  }

  @Test
  void theGainComesBackWhenItIsCalm() {
    ForecastLoop loop = ForecastLoop.at(0.95, 1_500_000);
    loop.usedLagTicks = 2;
    loop.ticks(20, SET_POINT - 1_500_000);
    loop.ticks(60, SET_POINT - 1_000_000);
    assertThat(loop.tick(SET_POINT - 1_000_000).decision().forecast().growthGain())
        .isLessThan(0.75);

    loop.usedLagTicks = 0;
    loop.ticks(800, SET_POINT - 1_000_000);

    assertThat(loop.tick(SET_POINT - 1_000_000).decision().forecast().growthGain()).isEqualTo(0.75);
  }

  private static int firstTurn(List<ForecastLoop.Tick> ticks) {
    for (int i = 2; i < ticks.size(); i++) {
      long before = move(ticks, i - 1);
      if (before != 0 && Long.signum(move(ticks, i)) == -Long.signum(before)) {
        return i;
      }
    }
    return 0;
  }

  private static long move(List<ForecastLoop.Tick> ticks, int i) {
    return ticks.get(i).decision().desiredBytes() - ticks.get(i - 1).decision().desiredBytes();
  }

  private static long travel(List<ForecastLoop.Tick> ticks) {
    long sum = 0;
    for (int i = 1; i < ticks.size(); i++) {
      sum += Math.abs(move(ticks, i));
    }
    return sum;
  }
}
