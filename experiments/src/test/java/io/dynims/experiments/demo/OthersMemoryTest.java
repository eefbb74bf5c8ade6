package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class OthersMemoryTest {

  private static final long BUDGET = 1_000;
  private static final long END = 10_000;

  @Test
  void whatOthersGrowByIsNotTheNodes() {
    UtilizationTrace node = node(millis -> 450 + (millis < 5_000 ? 0 : 200), OthersMemoryTest::own);
    OthersMemory others = OthersMemory.of(node, OthersMemoryTest::own, 0, END);

    assertThat(node.maxUsedBytes(0, END)).as("the machine's").isGreaterThan(BUDGET);
    assertThat(others.maxUsedBytes()).isEqualTo(950);
    assertThat(others.rangeBytes()).isEqualTo(200);
    assertThat(others.grownBytes()).isEqualTo(200);
  }

  @Test
  void aTierThatDoesNotGiveWayStillShows() {
    LongUnaryOperator own = millis -> 500 + (millis >= 3_000 && millis < 3_200 ? 120 : 0);
    UtilizationTrace node = node(millis -> 450 + millis / 100, own);
    OthersMemory others = OthersMemory.of(node, own, 0, END);

    assertThat(others.maxUsedBytes()).isGreaterThan(BUDGET).isBetween(1_060L, 1_080L);
  }

  @Test
  void othersThatShrinkMakeNoRoom() {
    UtilizationTrace node = node(millis -> 450 - (millis < 5_000 ? 0 : 200), OthersMemoryTest::own);
    OthersMemory others = OthersMemory.of(node, OthersMemoryTest::own, 0, END);

    assertThat(others.maxUsedBytes()).isEqualTo(950);
    assertThat(others.rangeBytes()).isEqualTo(200);
    assertThat(others.mostBytes()).isEqualTo(450);
    assertThat(others.grownBytes()).isEqualTo(-200);
    assertThat(OthersMemory.of(node, OthersMemoryTest::own, END / 2, END).mostBytes())
        .isEqualTo(250);
  }

  @Test
  void isNothingWithoutSamples() {
    assertThat(OthersMemory.of(new UtilizationTrace(), OthersMemoryTest::own, 0, END))
        .isEqualTo(new OthersMemory(0, 0, 0, 0));
  }

  private static UtilizationTrace node(LongUnaryOperator others, LongUnaryOperator own) {
    UtilizationTrace node = new UtilizationTrace();
    for (long millis = 0; millis <= END; millis += 25) {
      node.add(millis, others.applyAsLong(millis) + own.applyAsLong(millis));
    }
    return node;
  }

  /** A tier that gives way to a job as fast as that takes memory. */
  private static long own(long millis) {
    return millis < 0 ? 0 : 500;
  }
}
