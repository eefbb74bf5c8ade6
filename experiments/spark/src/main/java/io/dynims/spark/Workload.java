package io.dynims.spark;

import java.io.Serializable;
import java.util.Iterator;

/**
 * An iterative job: each iteration reads the whole data set, adds up a vector of sums, and derives
 * the next model from it. The sums of the partitions are added in the order of the partitions, so
 * the same data gives the same model to the last digit, wherever it was read from.
 */
interface Workload extends Serializable {

  /** The model before the first iteration. */
  double[] initialModel();

  /** The sums over the batches of one partition. */
  double[] sums(double[] model, Iterator<double[]> batches);

  /**
   * The next model.
   *
   * @param sums over the whole data set
   * @param iteration from 1
   */
  double[] nextModel(double[] model, double[] sums, int iteration);

  /** The mean loss of the model that these sums were made with. */
  double loss(double[] sums);

  /** How many points these sums are over. */
  long points(double[] sums);
}
