package io.dynims.core.wire;

/**
 * How a node's tiers divide a step among them.
 *
 * @param weight the tier's weight, above 0 and at most 1,000
 * @param nodeWeight the sum of the weights of the node's tiers that are resized, with this one; at
 *     least the weight. Only the guard needs it, as it knows no tier but its own
 * @param byHits whether a tier whose memory serves more reads gives less and takes more than its
 *     weight's part
 */
public record SharePolicy(double weight, double nodeWeight, boolean byHits) {

  public static final double MAX_WEIGHT = 1_000;

  /** What holds where a policy says nothing and the node has no other tier. */
  public static final SharePolicy DEFAULT = new SharePolicy(1, 1, false);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field, its value and its range
   */
  public SharePolicy {
    if (!(weight > 0 && weight <= MAX_WEIGHT)) {
      throw new IllegalArgumentException(
          "weight: " + weight + " is not above 0 and at most " + (int) MAX_WEIGHT);
    }
    if (!(nodeWeight >= weight && nodeWeight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "nodeWeight: " + nodeWeight + " is not at least the weight, " + weight);
    }
  }

  /** The same on a node whose other tiers have this sum of weights. */
  public SharePolicy beside(double otherWeight) {
    return new SharePolicy(weight, weight + otherWeight, byHits);
  }

  /** The weights of the node's other tiers. */
  public double otherWeight() {
    return nodeWeight - weight;
  }
}
