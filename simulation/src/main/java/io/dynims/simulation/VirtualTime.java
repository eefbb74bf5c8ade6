package io.dynims.simulation;

import java.util.PriorityQueue;

/**
 * Time that passes only from one event to the next. Events of the same instant happen in the order
 * in which they were scheduled, so that a run is the same each time.
 */
public final class VirtualTime {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nanos;
  private long order;

  private record Event(long nanos, long order, Runnable action) implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** Nanoseconds since the beginning. */
  public long nanos() {
    return nanos;
  }

  /** Whole milliseconds since the beginning. */
  public long millis() {
    return nanos / NANOS_PER_MILLI;
  }

  /** Runs something after so many milliseconds, at least 0. */
  public void after(long millis, Runnable action) {
    afterNanos(millis * NANOS_PER_MILLI, action);
  }

  /** Runs something after so many nanoseconds, at least 0. */
  public void afterNanos(long delayNanos, Runnable action) {
    events.add(new Event(nanos + Math.max(0, delayNanos), order++, action));
  }

  /** Lets all happen that is due by a time, and ends at it. */
  public void runUntil(long millis) {
    long endNanos = millis * NANOS_PER_MILLI;
    while (!events.isEmpty() && events.peek().nanos <= endNanos) {
      Event next = events.remove();
      nanos = next.nanos;
      next.action.run();
    }
    nanos = endNanos;
  }
}
