package io.dynims.core.gate;

/**
 * Lets ten pushes in nine intervals through, on average, and no two closer than half an interval.
 *
 * <p>At a strict distance of one interval every delay would last, as targets come just as often: a
 * push after a late one must be allowed to be on time. The tenth more is for a node whose clock
 * runs a little faster than this one's, of which each target comes a little too early.
 */
final class Pace {

  private final long intervalNanos;
  private boolean started;
  private long lastNanos;
  private long owedNanos;

  Pace(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** How long to wait before the next push; 0 or less if it may go. */
  long waitNanos(long nowNanos) {
    if (!started) {
      return 0;
    }
    long sinceLast = lastNanos + intervalNanos / 2 - nowNanos;
    long sinceOwed = owedNanos - intervalNanos - nowNanos;
    return Math.max(sinceLast, sinceOwed);
  }

  /** Records a push. */
  void taken(long nowNanos) {
    boolean behind = started && owedNanos - nowNanos > 0;
    owedNanos = (behind ? owedNanos : nowNanos) + intervalNanos * 9 / 10;
    lastNanos = nowNanos;
    started = true;
  }
}
