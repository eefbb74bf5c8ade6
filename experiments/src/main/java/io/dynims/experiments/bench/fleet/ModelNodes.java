package io.dynims.experiments.bench.fleet;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Simulates the memory of nodes with jobs and an elastic tier. The tier fills up to its capacity
 * and shrinks at once, so that each decision changes the next samples. One thread samples and
 * another one resizes.
 */
final class ModelNodes {

  static final long GIB = 1L << 30;

  /** As in the paper's table I, with memory of 125 GB and a tier of at most 60 GB. */
  static final long TOTAL_BYTES = 125_000_000_000L;

  static final long MAX_TIER_BYTES = 60_000_000_000L;

  private static final double FILL_BYTES_PER_MILLI = 2.0 * GIB / 1_000;

  private final JobShape jobs;
  private final long[] lastMillis;
  private final AtomicLongArray tierBytes;
  private final AtomicLongArray capacityBytes;

  /** Nodes with such jobs, and with empty tiers. */
  ModelNodes(int count, JobShape jobs) {
    this.jobs = jobs;
    lastMillis = new long[count];
    tierBytes = new AtomicLongArray(count);
    capacityBytes = new AtomicLongArray(count);
    for (int node = 0; node < count; node++) {
      capacityBytes.set(node, MAX_TIER_BYTES);
    }
  }

  /** Fills all tiers to their capacity. */
  void fillTiers() {
    for (int node = 0; node < count(); node++) {
      tierBytes.set(node, capacityBytes.get(node));
    }
  }

  int count() {
    return lastMillis.length;
  }

  long capacityBytes(int node) {
    return capacityBytes.get(node);
  }

  long tierBytes(int node) {
    return tierBytes.get(node);
  }

  /** Memory in use on the node now, jobs and tier. */
  long sample(int node, long nowMillis) {
    long sinceMillis = lastMillis[node] == 0 ? 0 : nowMillis - lastMillis[node];
    lastMillis[node] = nowMillis;
    long fillBytes = (long) (sinceMillis * FILL_BYTES_PER_MILLI);
    long tier =
        tierBytes.updateAndGet(node, held -> Math.min(capacityBytes.get(node), held + fillBytes));
    return Math.min(TOTAL_BYTES, jobs.jobBytes(node, nowMillis) + tier);
  }

  /** Sets the capacity of the tier and drops data that exceeds it. */
  void resize(int node, long bytes) {
    capacityBytes.set(node, bytes);
    tierBytes.updateAndGet(node, held -> Math.min(held, bytes));
  }
}
