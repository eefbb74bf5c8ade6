package io.dynims.core.gate;

/**
 * Limits the rate of pushes: on average to ten in nine intervals, and never two within half an
 * interval.
 *
 * <p>Targets come once an interval. If pushes had to be a whole interval apart, a late one would
 * delay all that follow; so the one after it may come sooner. The rate is a little above one an
 * interval for nodes whose clocks are a little fast, so that their targets come slightly early.
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
