package io.dynims.experiments.demo;

/**
 * How big the demo's parts are. The budget is such that a full tier sits at the threshold while no
 * burst runs: then the loop is at work all the time, in small steps.
 *
 * @param budgetBytes M, the memory that the node may use
 * @param dataSetBytes what the readers read, more than the tier can hold
 * @param burstBytes what the burst takes at its peak
 */
public record Sizing(long budgetBytes, long dataSetBytes, long burstBytes) {

  /** The part of its greatest capacity that the tier has without a burst. */
  static final double FULL = 0.92;

  private static final double BURST = 0.65;
  private static final double DATA_SET = 1.5;
  private static final long TIER_AT_MOST_BYTES = 2L << 30;
  private static final long WHOLE_BYTES = 64L << 20;

  /**
   * The sizes for a node.
   *
   * @param usedWithoutTierBytes memory in use on the node apart from the tier's data
   * @param tierMaxBytes Umax
   * @param threshold r0, in (0, 1)
   */
  public static Sizing of(long usedWithoutTierBytes, long tierMaxBytes, double threshold) {
    double full = usedWithoutTierBytes + FULL * tierMaxBytes;
    return new Sizing(
        (long) Math.ceil(full / threshold),
        wholeBytes((long) Math.ceil(DATA_SET * tierMaxBytes) + WHOLE_BYTES - 1),
        wholeBytes((long) (BURST * tierMaxBytes)));
  }

  /** A tier's greatest capacity for a machine with so much memory: a quarter, at most 2 GiB. */
  public static long tierMaxBytes(long memoryTotalBytes) {
    return wholeBytes(Math.min(TIER_AT_MOST_BYTES, memoryTotalBytes / 4));
  }

  private static long wholeBytes(long bytes) {
    return bytes / WHOLE_BYTES * WHOLE_BYTES;
  }
}
