package io.dynims.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadTest {

  private static final int ROWS = 600;

  /** Two clouds of points, with labels that say which. */
  private static double[] rows() {
    SplittableRandom random = new SplittableRandom(7);
    double[] rows = new double[ROWS * Points.ROW];
    for (int row = 0; row < ROWS; row++) {
      int label = row % 2;
      rows[row * Points.ROW] = label;
      for (int i = 1; i < Points.ROW; i++) {
        rows[row * Points.ROW + i] = (label == 0 ? -0.5 : 0.5) + random.nextDouble(-0.2, 0.2);
      }
    }
    return rows;
  }

  private static Iterator<double[]> batches() {
    return List.of(rows()).iterator();
  }

  @ParameterizedTest
  @EnumSource(WorkloadType.class)
  void theLossFallsAndEveryPointCounts(WorkloadType type) {
    Workload workload = type.workload();
    double[] model = workload.initialModel();
    double firstLoss = workload.loss(workload.sums(model, batches()));

    for (int iteration = 1; iteration <= 10; iteration++) {
      double[] sums = workload.sums(model, batches());
      assertThat(workload.points(sums)).isEqualTo(ROWS);
      model = workload.nextModel(model, sums, iteration);
    }

    assertThat(workload.loss(workload.sums(model, batches()))).isLessThan(firstLoss);
  }

  @Test
  void kMeansFindsTheCenters() {
    Workload workload = WorkloadType.KMeans.workload();
    double[] model = workload.initialModel();
    for (int iteration = 1; iteration <= 20; iteration++) {
      model = workload.nextModel(model, workload.sums(model, batches()), iteration);
    }

    // The mean squared distance of a uniform variable of width 0.4 to its mean, in 20 dimensions.
    double cloud = Points.DIMENSIONS * 0.4 * 0.4 / 12;
    assertThat(workload.loss(workload.sums(model, batches()))).isLessThan(1.1 * cloud);
  }

  @Test
  void aBatchIsReadAsItWasWritten() {
    double[] rows = rows();

    assertThat(Points.decode(Points.encode(rows))).isEqualTo(rows);
  }
}
