package io.dynims.controller.push;

/**
 * Lets ten pushes in nine intervals through, on average, and no two closer than half an interval.
 *
 * <p>A strict distance of one interval would make every delay last: targets come just as often, so
 * after one that came late each next one would have to wait. Here a push that was late may be
 * followed by one that is on time. And where the node's clock runs a little faster than this one's,
 * at a pace of exactly one an interval each target would come earlier than the one before was due,
 * until all had to wait: hence the tenth more.
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

  /** Notes a push. */
  void taken(long nowNanos) {
    boolean behind = started && owedNanos - nowNanos > 0;
    owedNanos = (behind ? owedNanos : nowNanos) + intervalNanos * 9 / 10;
    lastNanos = nowNanos;
    started = true;
  }
}
