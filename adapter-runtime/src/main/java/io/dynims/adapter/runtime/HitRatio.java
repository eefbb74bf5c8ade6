package io.dynims.adapter.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Which share of the reads of the last minute a store served, from counters that only grow:
 *
 * <pre>hitRatio = hits / (hits + misses)</pre>
 *
 * For use on one thread, but for {@link #value}.
 */
public final class HitRatio {

  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  private record Sample(long nanos, long hits, long misses) {}

  /** Those of the last minute, oldest first. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  private volatile Double value;

  /** A ratio that is unknown. */
  public HitRatio() {}

  /** In [0, 1]; null if the counters are unknown, or nothing was read. */
  public Double value() {
    return value;
  }

  /** Is unknown until the next counters, which go on from those before. */
  public void setUnknown() {
    value = null;
  }

  /** Forgets everything, as when the store has restarted. */
  public void reset() {
    samples.clear();
    value = null;
  }

  /**
   * Adds the counters at a time.
   *
   * @param nanos when they were read, as System.nanoTime
   */
  public void add(long nanos, long hits, long misses) {
    Sample newest = new Sample(nanos, hits, misses);
    Sample last = samples.peekLast();
    if (last != null && (hits < last.hits() || misses < last.misses())) {
      samples.clear();
    }
    samples.addLast(newest);
    while (nanos - samples.getFirst().nanos() > WINDOW_NANOS) {
      samples.removeFirst();
    }
    long newHits = hits - samples.getFirst().hits();
    long reads = newHits + misses - samples.getFirst().misses();
    value = reads == 0 ? null : (Double) ((double) newHits / reads);
  }
}
