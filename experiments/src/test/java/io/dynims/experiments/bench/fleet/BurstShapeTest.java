package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class BurstShapeTest {

  private static final int NODES = 4_000;
  private static final long START_MILLIS = 1_700_000_000_000L;

  private final BurstShape some = BurstShape.ofSome(NODES, 1, 0.1);

  @Test
  void aShareOfTheNodesMovesAndOthersTakeTheirTurn() {
    BitSet early = moving(START_MILLIS);
    BitSet late = moving(START_MILLIS + 600_000);

    assertThat(early.cardinality()).isBetween(NODES / 20, NODES / 5);
    assertThat(late.cardinality()).isBetween(NODES / 20, NODES / 5);
    assertThat(late).isNotEqualTo(early);
  }

  @Test
  void theNodesOfAJobMoveTogetherAndThoseOfOthersDoNot() {
    int together = 0;
    int apart = 0;
    for (long now = START_MILLIS; now < START_MILLIS + 300_000; now += 10_000) {
      for (int node = 0; node + 1 < NODES; node++) {
        boolean same = some.moves(node, now) == some.moves(node + 1, now);
        if (some.job(node) == some.job(node + 1)) {
          assertThat(same).as("nodes %d and %d", node, node + 1).isTrue();
          together++;
        } else {
          apart += same ? 0 : 1;
        }
      }
    }
    assertThat(together).isPositive();
    assertThat(apart).as("times that neighbours of different jobs differ").isPositive();
  }

  @Test
  void theNodesOfAJobAreInTheSamePhaseOfItsBurst() {
    BurstShape shape = BurstShape.ofSome(BurstShape.NODES_PER_JOB, 1, 1);
    int times = 3_000;
    double[][] bytes = new double[BurstShape.NODES_PER_JOB][times];
    for (int time = 0; time < times; time++) {
      for (int node = 0; node < bytes.length; node++) {
        bytes[node][time] = shape.jobBytes(node, START_MILLIS + 100L * time);
      }
    }
    for (double[] node : bytes) {
      scaleToItsRange(node);
      assertThat(node).containsExactly(bytes[0], within(0.05));
    }
    assertThat(Arrays.stream(bytes[0]).filter(share -> share > 0.5).count())
        .as("times within a burst")
        .isBetween(times / 4L, times / 2L);
  }

  private static void scaleToItsRange(double[] bytes) {
    double least = Arrays.stream(bytes).min().orElseThrow();
    double most = Arrays.stream(bytes).max().orElseThrow();
    Arrays.setAll(bytes, i -> (bytes[i] - least) / (most - least));
  }

  @Test
  void allMoveWhereThatIsAskedFor() {
    BurstShape all = BurstShape.ofAll(3, 1);
    assertThat(all.job(2)).as("each node has a job of its own").isEqualTo(2);
    assertThat(all.moves(0, START_MILLIS)).isTrue();
    assertThat(all.moves(2, START_MILLIS + 1_000_000)).isTrue();
  }

  private BitSet moving(long nowMillis) {
    BitSet moving = new BitSet();
    for (int node = 0; node < NODES; node++) {
      moving.set(node, some.moves(node, nowMillis));
    }
    return moving;
  }
}
