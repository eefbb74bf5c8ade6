package io.dynims.core.share;

/** Divides a step by weight among those that have room for their part of it. */
final class Division {

  private Division() {}

  /**
   * The parts of a step. Each is in proportion to its weight, but at most as large as its room;
   * what one has no room for is divided among the others.
   *
   * @param step what to divide, with a sign
   * @param weights the weights, above 0
   * @param rooms the largest parts, at least 0, without a sign
   * @param otherWeight the weight of those that take their parts elsewhere, at least 0
   * @return the parts, with the sign of the step
   */
  static double[] divide(double step, double[] weights, double[] rooms, double otherWeight) {
    double[] parts = new double[weights.length];
    boolean[] full = new boolean[weights.length];
    boolean changed = true;
    while (changed) {
      double left = Math.abs(step);
      double weight = otherWeight;
      for (int i = 0; i < parts.length; i++) {
        left -= full[i] ? rooms[i] : 0;
        weight += full[i] ? 0 : weights[i];
      }
      changed = false;
      for (int i = 0; i < parts.length; i++) {
        if (!full[i]) {
          parts[i] = left * weights[i] / weight;
          full[i] = parts[i] > rooms[i];
          changed |= full[i];
        }
      }
    }
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Math.signum(step) * (full[i] ? rooms[i] : parts[i]);
    }
    return parts;
  }
}
