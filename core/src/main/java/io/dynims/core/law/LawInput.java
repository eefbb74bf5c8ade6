package io.dynims.core.law;

/**
 * What the law sees of a node at one instant: of one tier, or of several that it decides together.
 *
 * @param capacityBytes u, the tier capacity in force, at least 0
 * @param desiredBytes the capacity last decided where the tier has not answered yet; else u
 * @param tierUsedBytes what the tier's data occupied at the time of v, as it told, at least 0
 * @param tierLeastBytes what it occupies if desiredBytes are in force already, 0 to tierUsedBytes
 * @param allTiersUsedBytes what all tiers of the node occupy, as far as they tell, at least 0
 * @param allTiersLeastBytes what they occupy if all that was decided is in force already, at least
 *     0
 * @param allTiersMostBytes what they may occupy where nobody measures a tier and its answers stay
 *     away, at least allTiersUsedBytes
 * @param tierUsedAgeMillis how much older that figure is than the memory's, at least 0
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
    long tierUsedBytes,
    long tierLeastBytes,
    long allTiersUsedBytes,
    long allTiersLeastBytes,
    long allTiersMostBytes,
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
    requireNotNegative("tierUsedBytes", tierUsedBytes);
    requireNotNegative("tierLeastBytes", tierLeastBytes);
    if (tierLeastBytes > tierUsedBytes) {
      throw new IllegalArgumentException(
          "tierLeastBytes: " + tierLeastBytes + " is above tierUsedBytes, " + tierUsedBytes);
    }
    requireNotNegative("allTiersUsedBytes", allTiersUsedBytes);
    requireNotNegative("allTiersLeastBytes", allTiersLeastBytes);
    requireNotNegative("allTiersMostBytes", allTiersMostBytes);
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
        tierUsedBytes,
        tierUsedBytes,
        tierUsedBytes,
        tierUsedBytes,
        tierUsedBytes,
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

  /** What tiers hold that this law does not decide; never more than is in use besides. */
  double otherTiersBytes() {
    double besides = Math.max(0, (double) memoryUsedBytes - tierUsedBytes);
    return Math.max(0, Math.min(besides, (double) allTiersUsedBytes - tierUsedBytes));
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
