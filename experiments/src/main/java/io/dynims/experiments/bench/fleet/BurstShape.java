package io.dynims.experiments.bench.fleet;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * Bursts of jobs. A job runs on some nodes and has one burst or none in each period of its own, on
 * all of its nodes at once; between bursts they are calm.
 */
final class BurstShape implements JobShape {

  /** The nodes of a job where only some nodes move. */
  static final int NODES_PER_JOB = 8;

  /** Standard deviation of the noise in each sample. */
  private static final double NOISE_BYTES = 50e6;

  private static final double CALM_NOISE_BYTES = 5e6;

  private final Random random;
  private final int nodesPerJob;
  private final double movingRatio;
  private final double[] baseBytes;
  private final double[] burstBytes;
  private final long[] periodMillis;
  private final long[] shiftMillis;

  private BurstShape(int count, long seed, int nodesPerJob, double movingRatio) {
    this.nodesPerJob = nodesPerJob;
    this.movingRatio = movingRatio;
    random = new Random(seed);
    baseBytes = random.doubles(count, 25e9, 45e9).toArray();
    burstBytes = random.doubles(count, 20e9, 65e9).toArray();
    periodMillis = random.longs(count, 10_000, 60_000).toArray();
    shiftMillis = random.longs(count, 0, 60_000).toArray();
  }

  /** Every node has a burst in each period of its own. */
  static BurstShape ofAll(int count, long seed) {
    return new BurstShape(count, seed, 1, 1);
  }

  /**
   * Only some nodes move at a time, and all of those of a job do.
   *
   * @param movingRatio the share of the jobs that have a burst in a period, in [0, 1]
   */
  static BurstShape ofSome(int count, long seed, double movingRatio) {
    return new BurstShape(count, seed, NODES_PER_JOB, movingRatio);
  }

  /** The job that runs on a node. */
  int job(int node) {
    return node / nodesPerJob;
  }

  /** Whether a node's job has a burst in its period of this time. */
  boolean moves(int node, long nowMillis) {
    int job = job(node);
    long period = (nowMillis + shiftMillis[job]) / periodMillis[job];
    return new SplittableRandom(period * baseBytes.length + job).nextDouble() < movingRatio;
  }

  /** A trapezoid: a tenth of the period up, three tenths there, a tenth down, the rest at base. */
  @Override
  public long jobBytes(int node, long nowMillis) {
    int job = job(node);
    double phase =
        ((nowMillis + shiftMillis[job]) % periodMillis[job]) / (double) periodMillis[job];
    boolean moves = moves(node, nowMillis);
    double share = moves ? Math.max(0, Math.min(1, Math.min(phase * 10, (0.5 - phase) * 10))) : 0;
    double noise = (moves ? NOISE_BYTES : CALM_NOISE_BYTES) * random.nextGaussian();
    return (long) (baseBytes[node] + share * burstBytes[node] + noise);
  }
}
