package io.dynims.experiments.demo;

/**
 * What a run of the demo measured; {@code demo-report.json}.
 *
 * @param reactionMillis sample to capacity in force, while the burst came and went
 * @param idleReactionMillis the same before the burst, while nothing was read
 * @param ticks decisions
 * @param applied pushes after which the capacity asked for was in force
 * @param partial pushes after which another capacity was in force
 * @param failed pushes that the tier did not answer or refused
 * @param capacityBytes the tier's capacity
 * @param usedBytes memory that the tier's data occupied
 * @param maxUtilization the greatest part of its budget that the node used, by the demo's own
 *     samples of /proc/meminfo
 * @param overThresholdMillis for how long utilization was more than a hundredth above the threshold
 * @param readsOk blocks read through the tier with the right bytes
 * @param readsCorrupt blocks read with wrong bytes
 * @param readsFailed blocks that could not be read
 * @param settleMillis how long after each change of load utilization was back at the threshold
 * @param threshold r0
 * @param memoryBudgetBytes M
 * @param memoryTotalBytes the machine's memory
 * @param processors the machine's
 * @param burstBytes the peak of the burst
 * @param seed of the data set and of the order of reads
 */
public record DemoReport(
    ReactionMillis reactionMillis,
    ReactionMillis idleReactionMillis,
    long ticks,
    long applied,
    long partial,
    long failed,
    Extent capacityBytes,
    Extent usedBytes,
    double maxUtilization,
    long overThresholdMillis,
    long readsOk,
    long readsCorrupt,
    long readsFailed,
    SettleMillis settleMillis,
    double threshold,
    long memoryBudgetBytes,
    long memoryTotalBytes,
    int processors,
    long burstBytes,
    long seed) {

  /**
   * How long utilization took to be back at the threshold; null where it did not.
   *
   * @param burst after the burst had taken all its memory
   * @param release after the burst had given back all of it
   */
  public record SettleMillis(Long burst, Long release) {}
}
