package io.dynims.experiments.paper;

/**
 * The sizes of an experiment, in bytes.
 *
 * @param divisor the paper's node has this many times the memory
 * @param sparkHeapBytes Spark's heap beside a tier, the paper's 20 GB
 * @param cachingHeapBytes Spark's heap without a tier, the paper's 45 GB
 * @param rddCacheBytes the part of it that keeps the data set, the paper's 25 GB
 * @param staticTierBytes the paper's 25 GB
 * @param elasticTierBytes the paper's 60 GB
 * @param hpccPeakBytes the paper's 75 GB
 * @param memoryBytes the node's memory: the paper's 125 GB, and {@link #FIXED_BYTES}
 * @param dataBytes the data set
 */
public record PaperScale(
    int divisor,
    long sparkHeapBytes,
    long cachingHeapBytes,
    long rddCacheBytes,
    long staticTierBytes,
    long elasticTierBytes,
    long hpccPeakBytes,
    long memoryBytes,
    long dataBytes) {

  /** What JVMs need beside their heaps, and the worker, the adapter and collectd, at any scale. */
  static final long FIXED_BYTES = 768L << 20;

  /** A sixteenth of the paper's node. The data set is 3.5 GiB, so that it fits the elastic tier. */
  public static final PaperScale FULL = new PaperScale(16, 3_584L << 20);

  /** To try the experiment: Spark does not start with less heap. */
  public static final PaperScale QUICK =
      new PaperScale(
          128,
          640L << 20,
          900L << 20,
          192L << 20,
          192L << 20,
          480L << 20,
          600L << 20,
          2_400L << 20,
          400L << 20);

  private PaperScale(int divisor, long dataBytes) {
    this(
        divisor,
        scaled(20, divisor),
        scaled(45, divisor),
        scaled(25, divisor),
        scaled(25, divisor),
        scaled(60, divisor),
        scaled(75, divisor),
        scaled(125, divisor) + FIXED_BYTES,
        dataBytes);
  }

  private static long scaled(int gigabytes, int divisor) {
    return ((long) gigabytes << 30) / divisor;
  }

  /** The same node with another data set. */
  PaperScale withData(long bytes) {
    return new PaperScale(
        divisor,
        sparkHeapBytes,
        cachingHeapBytes,
        rddCacheBytes,
        staticTierBytes,
        elasticTierBytes,
        hpccPeakBytes,
        memoryBytes,
        bytes);
  }
}
