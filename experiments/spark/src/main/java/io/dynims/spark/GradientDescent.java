package io.dynims.spark;

import java.util.Iterator;

/**
 * A linear model by gradient descent with step {@code 0.1 / sqrt(iteration)}. The model is the
 * weights and the intercept; the sums are the gradient, the loss and the number of points.
 */
final class GradientDescent implements Workload {

  private static final long serialVersionUID = 1;

  /** Small enough for squared losses of points in 20 dimensions to fall. */
  private static final double STEP = 0.1;

  private static final int WEIGHTS = Points.DIMENSIONS + 1;
  private static final int LOSS = WEIGHTS;
  private static final int COUNT = WEIGHTS + 1;

  /**
   * What is fitted, by its loss of a margin {@code m} (weights times point) and a label {@code y}.
   */
  enum Objective {
    /** {@code log(1 + exp(m)) - y m}. */
    Logistic {
      @Override
      double slope(double margin, double label) {
        return 1 / (1 + Math.exp(-margin)) - label;
      }

      @Override
      double loss(double margin, double label) {
        return Math.log1p(Math.exp(-Math.abs(margin))) + Math.max(margin, 0) - label * margin;
      }
    },
    /** {@code (m - y)² / 2}. */
    Linear {
      @Override
      double slope(double margin, double label) {
        return margin - label;
      }

      @Override
      double loss(double margin, double label) {
        return (margin - label) * (margin - label) / 2;
      }
    },
    /** The hinge loss of a support vector machine, {@code max(0, 1 - (2y - 1) m)}. */
    Svm {
      @Override
      double slope(double margin, double label) {
        double sign = 2 * label - 1;
        return sign * margin < 1 ? -sign : 0;
      }

      @Override
      double loss(double margin, double label) {
        return Math.max(0, 1 - (2 * label - 1) * margin);
      }
    };

    /** The derivative of the loss by the margin. */
    abstract double slope(double margin, double label);

    abstract double loss(double margin, double label);
  }

  private final Objective objective;

  GradientDescent(Objective objective) {
    this.objective = objective;
  }

  @Override
  public double[] initialModel() {
    return new double[WEIGHTS];
  }

  @Override
  public double[] sums(double[] model, Iterator<double[]> batches) {
    double[] sums = new double[COUNT + 1];
    while (batches.hasNext()) {
      double[] rows = batches.next();
      for (int row = 0; row < rows.length; row += Points.ROW) {
        add(model, rows, row, sums);
      }
    }
    return sums;
  }

  private void add(double[] model, double[] rows, int row, double[] sums) {
    double label = rows[row];
    double margin = model[Points.DIMENSIONS];
    for (int i = 0; i < Points.DIMENSIONS; i++) {
      margin += model[i] * rows[row + 1 + i];
    }
    double slope = objective.slope(margin, label);
    for (int i = 0; i < Points.DIMENSIONS; i++) {
      sums[i] += slope * rows[row + 1 + i];
    }
    sums[Points.DIMENSIONS] += slope;
    sums[LOSS] += objective.loss(margin, label);
    sums[COUNT]++;
  }

  @Override
  public double[] nextModel(double[] model, double[] sums, int iteration) {
    double step = STEP / Math.sqrt(iteration) / sums[COUNT];
    double[] next = new double[WEIGHTS];
    for (int i = 0; i < WEIGHTS; i++) {
      next[i] = model[i] - step * sums[i];
    }
    return next;
  }

  @Override
  public double loss(double[] sums) {
    return sums[LOSS] / sums[COUNT];
  }

  @Override
  public long points(double[] sums) {
    return (long) sums[COUNT];
  }
}
