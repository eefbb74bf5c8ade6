package io.dynims.experiments.demo;

/**
 * The sizes of the demo. The budget is such that a full tier puts the node at the threshold while
 * no burst runs, so that the loop works all the time, in small steps.
 *
 * @param budgetBytes M, the memory that the node may use
 * @param dataSetBytes the size of the data set, more than the tier can hold
 * @param burstBytes the peak of the burst
 */
public record Sizing(long budgetBytes, long dataSetBytes, long burstBytes) {

  /** The share of its maximum capacity that the tier has without a burst. */
  public static final double FULL = 0.92;

  private static final long RISE_MILLIS = 4_000;
  private static final long FALL_MILLIS = 6_000;
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

  /** A tier's maximum capacity for a machine's memory: a quarter of it, at most 2 GiB. */
  public static long tierMaxBytes(long memoryTotalBytes) {
    return wholeBytes(Math.min(TIER_AT_MOST_BYTES, memoryTotalBytes / 4));
  }

  /**
   * The burst: it rises in 4 s, stays and falls in 6 s.
   *
   * @param leadMillis the time before it
   * @param plateauMillis how long it stays at its peak
   */
  public LoadProfile burst(long leadMillis, long plateauMillis) {
    return LoadProfile.startingAt(0)
        .then(leadMillis, 0)
        .then(RISE_MILLIS, burstBytes)
        .then(plateauMillis, burstBytes)
        .then(FALL_MILLIS, 0);
  }

  /**
   * A job of 1.5 % of the budget, but at most a quarter of the burst. It comes and goes twice
   * within 10 s, to measure reactions on an idle machine.
   */
  public LoadProfile smallJob() {
    long bytes = Math.min(budgetBytes / 64, burstBytes / 4);
    return LoadProfile.startingAt(0)
        .then(1_000, 0)
        .then(1_500, bytes)
        .then(1_500, bytes)
        .then(1_500, 0)
        .then(1_500, bytes)
        .then(1_500, bytes)
        .then(1_500, 0);
  }

  private static long wholeBytes(long bytes) {
    return bytes / WHOLE_BYTES * WHOLE_BYTES;
  }
}
