package io.dynims.experiments.bench.fleet;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Simulates the memory of nodes with bursty jobs and an elastic tier. If only some nodes move, a
 * node has one burst or none in each period of its own, and is calm otherwise. The tier fills up to
 * its capacity and shrinks at once, so that each decision changes the next samples. One thread
 * samples and another one resizes.
 */
final class ModelNodes {

  static final long GIB = 1L << 30;

  /** As in the paper's table I, with memory of 125 GB and a tier of at most 60 GB. */
  static final long TOTAL_BYTES = 125_000_000_000L;

  static final long MAX_TIER_BYTES = 60_000_000_000L;

  /** Standard deviation of the noise in each sample. */
  private static final double NOISE_BYTES = 50e6;

  private static final double CALM_NOISE_BYTES = 5e6;

  private static final double FILL_BYTES_PER_MILLI = 2.0 * GIB / 1_000;

  private final Random random;
  private final double movingRatio;
  private final double[] baseBytes;
  private final double[] burstBytes;
  private final long[] periodMillis;
  private final long[] shiftMillis;
  private final long[] lastMillis;
  private final AtomicLongArray tierBytes;
  private final AtomicLongArray capacityBytes;

  /** Nodes that all move. */
  ModelNodes(int count, long seed) {
    this(count, seed, 1);
  }

  /**
   * Nodes of which some move.
   *
   * @param movingRatio the share of them that have a burst in a period, in [0, 1]
   */
  ModelNodes(int count, long seed, double movingRatio) {
    this.movingRatio = movingRatio;
    random = new Random(seed);
    baseBytes = random.doubles(count, 25e9, 45e9).toArray();
    burstBytes = random.doubles(count, 20e9, 65e9).toArray();
    periodMillis = random.longs(count, 10_000, 60_000).toArray();
    shiftMillis = random.longs(count, 0, 60_000).toArray();
    lastMillis = new long[count];
    tierBytes = new AtomicLongArray(count);
    capacityBytes = new AtomicLongArray(count);
    for (int node = 0; node < count; node++) {
      capacityBytes.set(node, MAX_TIER_BYTES);
    }
  }

  int count() {
    return baseBytes.length;
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
    return Math.min(TOTAL_BYTES, jobBytes(node, nowMillis) + tier);
  }

  /** Sets the capacity of the tier and drops data that exceeds it. */
  void resize(int node, long bytes) {
    capacityBytes.set(node, bytes);
    tierBytes.updateAndGet(node, held -> Math.min(held, bytes));
  }

  /** Whether a node has a burst in its period of this time. */
  boolean moves(int node, long nowMillis) {
    long period = (nowMillis + shiftMillis[node]) / periodMillis[node];
    return new SplittableRandom(period * count() + node).nextDouble() < movingRatio;
  }

  /** A trapezoid: a tenth of the period up, three tenths there, a tenth down, the rest at base. */
  private long jobBytes(int node, long nowMillis) {
    double phase =
        ((nowMillis + shiftMillis[node]) % periodMillis[node]) / (double) periodMillis[node];
    boolean moves = moves(node, nowMillis);
    double share = moves ? Math.max(0, Math.min(1, Math.min(phase * 10, (0.5 - phase) * 10))) : 0;
    double noise = (moves ? NOISE_BYTES : CALM_NOISE_BYTES) * random.nextGaussian();
    return (long) (baseBytes[node] + share * burstBytes[node] + noise);
  }
}
