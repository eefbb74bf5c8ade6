package io.dynims.core.law;

/**
 * A tier's part of a decision for all tiers of its node.
 *
 * @param ratio its weight as a part of all their weights, above 0 and at most 1
 * @param tiers how many tiers take part, as far as whoever decides knows them
 * @param capacityBytes the sum of their capacities in force
 * @param stepBytes what the law took from that sum, within the sum of their bounds; negative for
 *     growth
 */
public record Share(double ratio, int tiers, long capacityBytes, long stepBytes) {

  /** Explains the share; follows the explanation of the tier's own change. */
  String reason() {
    String together =
        stepBytes == 0
            ? "hold"
            : (stepBytes > 0 ? "give " : "take ") + Math.abs(stepBytes) + " bytes";
    return "; the node's tiers " + together + " together, of which its weight is " + percent();
  }

  private String percent() {
    long tenths = Math.round(ratio * 1_000);
    return tenths / 10 + "." + tenths % 10 + "%";
  }
}
