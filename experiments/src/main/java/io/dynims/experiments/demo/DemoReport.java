package io.dynims.experiments.demo;

/**
 * The result of a demo run, as in {@code demo-report.json}.
 *
 * @param reactionMillis sample to capacity in force, during the burst
 * @param idleReactionMillis the same before the burst, with few reads and a small job
 * @param ticks decisions
 * @param applied pushes after which the desired capacity was in force
 * @param partial pushes after which another capacity was in force
 * @param failed pushes that the tier did not answer or refused
 * @param capacityBytes the tier's capacity
 * @param usedBytes memory that the tier's data occupied
 * @param maxUtilization the highest utilization of the budget, from the demo's own samples of
 *     /proc/meminfo
 * @param maxOwnUtilization the same, but for what other programs have grown by meanwhile
 * @param overThresholdMillis how long utilization was more than 0.01 above the threshold
 * @param readsOk blocks or values read through the tier with the correct bytes
 * @param readsMissed values that the tier had evicted, and that the reader wrote again; 0 with
 *     Alluxio, which reads such blocks from its under store
 * @param readsCorrupt blocks or values read with wrong bytes
 * @param readsFailed blocks or values that could not be read or written
 * @param settleMillis time from each change of load until utilization was back at the threshold
 * @param threshold r0
 * @param memoryBudgetBytes M
 * @param memoryTotalBytes the machine's memory
 * @param processors the number of processors of the machine
 * @param burstBytes the peak of the burst
 * @param neededBytes how far the tier had to shrink for it: less than the burst if other programs
 *     of the machine gave memory back meanwhile
 * @param othersGrownBytes by how much more other programs of the machine held at the end than
 *     before the burst: no room for the tier to grow back; may be negative
 * @param seed the seed of the data set and of the order of reads
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
    double maxOwnUtilization,
    long overThresholdMillis,
    long readsOk,
    long readsMissed,
    long readsCorrupt,
    long readsFailed,
    SettleMillis settleMillis,
    double threshold,
    long memoryBudgetBytes,
    long memoryTotalBytes,
    int processors,
    long burstBytes,
    long neededBytes,
    long othersGrownBytes,
    long seed) {

  /**
   * Time until utilization was back at the threshold; null if it never was.
   *
   * @param burst from the peak of the burst
   * @param release from the end of the burst
   */
  public record SettleMillis(Long burst, Long release) {}
}
