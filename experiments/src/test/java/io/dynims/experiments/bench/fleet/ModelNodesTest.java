package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.MemoryReading;
import org.junit.jupiter.api.Test;

class ModelNodesTest {

  private static final long START_MILLIS = 1_700_000_000_000L;

  @Test
  void theSameSeedProducesTheSameMemory() {
    ModelNodes first = nodes(3, 7);
    ModelNodes second = nodes(3, 7);

    for (int tick = 0; tick < 50; tick++) {
      long now = START_MILLIS + 100L * tick;
      assertThat(first.sample(tick % 3, now)).isEqualTo(second.sample(tick % 3, now));
    }
  }

  @Test
  void theTierFillsUpToItsCapacityAndNoFurther() {
    ModelNodes nodes = nodes(1, 1);
    nodes.resize(0, 3 * ModelNodes.GIB);

    nodes.sample(0, START_MILLIS);
    assertThat(nodes.tierBytes(0)).isZero();
    nodes.sample(0, START_MILLIS + 1_000);
    assertThat(nodes.tierBytes(0)).isEqualTo(2 * ModelNodes.GIB);
    nodes.sample(0, START_MILLIS + 3_000);
    assertThat(nodes.tierBytes(0)).isEqualTo(3 * ModelNodes.GIB);
  }

  @Test
  void aSmallerCapacityFreesMemoryAtOnce() {
    ModelNodes nodes = nodes(1, 1);
    nodes.sample(0, START_MILLIS);
    nodes.sample(0, START_MILLIS + 10_000);
    long held = nodes.tierBytes(0);

    nodes.resize(0, held / 2);

    assertThat(held).isPositive();
    assertThat(nodes.tierBytes(0)).isEqualTo(held / 2);
  }

  @Test
  void aCalmNodeReportsTwiceASecond() {
    ModelNodes nodes = new ModelNodes(1, BurstShape.ofSome(1, 1, 0));
    nodes.resize(0, 0);
    SendOnDelta agent =
        new SendOnDelta(SendOnDelta.DEFAULT_TOLERANCE, SendOnDelta.DEFAULT_HEARTBEAT_MILLIS);
    int reports = 0;
    for (int tick = 0; tick < 100; tick++) {
      long now = START_MILLIS + 100L * tick;
      long availableBytes = ModelNodes.TOTAL_BYTES - nodes.sample(0, now);
      var sample = new MemoryReading("n", now, 0, ModelNodes.TOTAL_BYTES, availableBytes);
      reports += agent.report(sample) == null ? 0 : 1;
    }

    assertThat(reports).isEqualTo(20);
  }

  @Test
  void memoryInUseVariesWithinTheNode() {
    ModelNodes nodes = nodes(20, 1);
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int tick = 0; tick < 1_200; tick++) {
      for (int node = 0; node < nodes.count(); node++) {
        long used = nodes.sample(node, START_MILLIS + 100L * tick);
        least = Math.min(least, used);
        most = Math.max(most, used);
      }
    }

    assertThat(least).isPositive();
    assertThat(most).isLessThanOrEqualTo(ModelNodes.TOTAL_BYTES);
    assertThat(most - least).isGreaterThan(20 * ModelNodes.GIB);
  }

  private static ModelNodes nodes(int count, long seed) {
    return new ModelNodes(count, BurstShape.ofAll(count, seed));
  }
}
