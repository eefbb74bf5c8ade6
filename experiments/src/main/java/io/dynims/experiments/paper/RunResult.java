package io.dynims.experiments.paper;

import java.util.List;

/**
 * What one run showed.
 *
 * @param id of its {@link RunSpec}
 * @param startMillis when the job began to read, epoch milliseconds
 * @param iterations each of the job's iterations
 * @param digest of the job's result: the same data must give the same result
 * @param storeBytes what was read from the under store, by the kernel's count
 * @param loadMillis how long the load took; 0 without one
 * @param outOfMemoryKills by the kernel, for want of memory on the node
 * @param swappedInBytes by the machine during the run
 * @param series the node's memory over time
 */
public record RunResult(
    String id,
    long startMillis,
    List<Iteration> iterations,
    String digest,
    long storeBytes,
    long loadMillis,
    long outOfMemoryKills,
    long swappedInBytes,
    List<Sample> series) {

  /**
   * One pass over the data set.
   *
   * @param startMillis since the run's start
   * @param storeBytes read from the under store meanwhile
   */
  public record Iteration(long startMillis, long millis, long storeBytes, double loss) {}

  /**
   * The node's memory at a moment.
   *
   * @param millis since the run's start
   * @param usedBytes all but what the kernel can reclaim
   * @param tierBytes what the tier holds
   * @param capacityBytes the tier's capacity; the tier's size if it is not elastic
   * @param loadBytes what the load holds
   */
  public record Sample(
      long millis, long usedBytes, long tierBytes, long capacityBytes, long loadBytes) {}

  /** Copies the lists. */
  public RunResult {
    iterations = List.copyOf(iterations);
    series = List.copyOf(series);
  }

  /** The time of all iterations. */
  public long totalMillis() {
    return iterations.stream().mapToLong(Iteration::millis).sum();
  }

  /** The share of the reads that did not need the under store. */
  public double hitRatio(long dataBytes) {
    return 1 - (double) storeBytes / ((double) dataBytes * iterations.size());
  }
}
