package io.dynims.core.law;

/**
 * What the law sees of a node at one instant: of one tier, or of several that it decides together.
 *
 * @param capacityBytes u, the tier capacity in force, at least 0
 * @param desiredBytes the capacity last decided where the tier has not answered yet; else u
 * @param tier what the tier, or the tiers that are decided together, hold
 * @param allTiers what all tiers of the node hold, these among them
 * @param tierUsedAgeMillis how much older what the tier told is than the memory's figure, at least
 *     0
 * @param unevictableBytes what the tier could not give when it was last asked, at least 0
 * @param memoryUsedBytes v, memory in use on the node including the tier's data, at least 0
 * @param hintedBytes what jobs are about to take besides, by their hints, at least 0
 * @param memoryTotalBytes M, the memory that the node may use, at least 0
 * @param pressure the share of the time since the last sample in which tasks waited for memory, in
 *     [0, 1]; NaN if unknown
 * @param sampledMillis when the memory was sampled, epoch milliseconds by the node's clock
 */
public record LawInput(
    long capacityBytes,
    long desiredBytes,
    Held tier,
    Held allTiers,
    long tierUsedAgeMillis,
    long unevictableBytes,
    long memoryUsedBytes,
    long hintedBytes,
    long memoryTotalBytes,
    double pressure,
    long sampledMillis) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the input that is out of its range
   */
  public LawInput {
    requireNotNegative("capacityBytes", capacityBytes);
    requireNotNegative("desiredBytes", desiredBytes);
    requireNotNegative("tierUsedAgeMillis", tierUsedAgeMillis);
    requireNotNegative("unevictableBytes", unevictableBytes);
    requireNotNegative("memoryUsedBytes", memoryUsedBytes);
    requireNotNegative("hintedBytes", hintedBytes);
    requireNotNegative("memoryTotalBytes", memoryTotalBytes);
  }

  /**
   * The input for a tier that has applied its last capacity in full, on a node without hints; its
   * pressure is unknown.
   */
  public LawInput(
      long capacityBytes,
      long tierUsedBytes,
      long memoryUsedBytes,
      long memoryTotalBytes,
      long sampledMillis) {
    this(
        capacityBytes,
        capacityBytes,
        Held.of(tierUsedBytes),
        Held.of(tierUsedBytes),
        0,
        0,
        memoryUsedBytes,
        0,
        memoryTotalBytes,
        Double.NaN,
        sampledMillis);
  }

  /**
   * The utilization r = v / M. It passes 1 where M is a budget below the node's memory and the node
   * overdraws it. A node of no memory is full.
   */
  public double utilization() {
    return memoryTotalBytes == 0 ? 1 : (double) memoryUsedBytes / memoryTotalBytes;
  }

  /** The memory that a law counts as in use: v, and what jobs are about to take. */
  public double claimedBytes() {
    return (double) memoryUsedBytes + hintedBytes;
  }

  /**
   * What tiers hold that this law does not decide: what they told, or what neither the jobs nor the
   * other tiers explain of v, as they may have filled it unseen. Never more than is in use besides.
   *
   * @param jobBytes what the jobs hold of v
   */
  double otherTiersBytes(double jobBytes) {
    double besidesBytes = (double) memoryUsedBytes - tier.usedBytes();
    double toldBytes = (double) allTiers.usedBytes() - tier.usedBytes();
    double filledBytes = memoryUsedBytes - jobBytes - tier.mostBytes();
    return Math.max(0, Math.min(besidesBytes, Math.max(toldBytes, filledBytes)));
  }

  /** The part of M that is claimed; a node of no memory is full. */
  public double claimedUtilization() {
    return memoryTotalBytes == 0 ? 1 : claimedBytes() / memoryTotalBytes;
  }

  private static void requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + ": " + value + " is below 0");
    }
  }
}
