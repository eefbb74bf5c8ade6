package io.dynims.spark;

import java.util.Iterator;
import java.util.SplittableRandom;

/**
 * Lloyd's algorithm. The model is the {@link #CLUSTERS} centers; the sums are, for each cluster,
 * the sum of its points and their number, and at the end the sum of the squared distances.
 */
final class KMeans implements Workload {

  private static final long serialVersionUID = 1;
  private static final int CLUSTERS = 10;
  private static final int STRIDE = Points.DIMENSIONS + 1;
  private static final int COST = CLUSTERS * STRIDE;
  private static final long SEED = 1;

  @Override
  public double[] initialModel() {
    SplittableRandom random = new SplittableRandom(SEED);
    return random.doubles((long) CLUSTERS * Points.DIMENSIONS, -1, 1).toArray();
  }

  @Override
  public double[] sums(double[] model, Iterator<double[]> batches) {
    double[] sums = new double[COST + 1];
    while (batches.hasNext()) {
      double[] rows = batches.next();
      for (int row = 0; row < rows.length; row += Points.ROW) {
        add(model, rows, row + 1, sums);
      }
    }
    return sums;
  }

  private static void add(double[] centers, double[] rows, int point, double[] sums) {
    int nearest = 0;
    double least = Double.MAX_VALUE;
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      double distance = 0;
      int center = cluster * Points.DIMENSIONS;
      for (int i = 0; i < Points.DIMENSIONS; i++) {
        double difference = rows[point + i] - centers[center + i];
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        nearest = cluster;
      }
    }
    int into = nearest * STRIDE;
    for (int i = 0; i < Points.DIMENSIONS; i++) {
      sums[into + i] += rows[point + i];
    }
    sums[into + Points.DIMENSIONS]++;
    sums[COST] += least;
  }

  @Override
  public double[] nextModel(double[] model, double[] sums, int iteration) {
    double[] next = model.clone();
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      double count = sums[cluster * STRIDE + Points.DIMENSIONS];
      // A cluster without points keeps its center.
      for (int i = 0; count > 0 && i < Points.DIMENSIONS; i++) {
        next[cluster * Points.DIMENSIONS + i] = sums[cluster * STRIDE + i] / count;
      }
    }
    return next;
  }

  @Override
  public double loss(double[] sums) {
    return sums[COST] / points(sums);
  }

  @Override
  public long points(double[] sums) {
    double points = 0;
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      points += sums[cluster * STRIDE + Points.DIMENSIONS];
    }
    return (long) points;
  }
}
