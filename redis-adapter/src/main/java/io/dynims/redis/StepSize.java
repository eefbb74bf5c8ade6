package io.dynims.redis;

import java.util.concurrent.TimeUnit;

/**
 * How much a server gives back at a time: half as much after a step that made other clients wait
 * too long, else twice as much. What they wait anyway, as the server is busy or its node has no
 * processor time left, is not the step's doing: smaller steps would not help them, and the node
 * would wait for its memory.
 *
 * <p>For use by one thread.
 */
final class StepSize {

  static final long FIRST_BYTES = 8L << 20;
  static final long MIN_BYTES = 1L << 20;
  static final long MAX_BYTES = 64L << 20;

  /** Waits that are older than this do not count. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long stallNanos;
  private long bytes = FIRST_BYTES;
  private long usualNanos;
  private long notedNanos;

  /**
   * Starts with {@link #FIRST_BYTES}.
   *
   * @param stallNanos how long a step may make other clients wait
   */
  StepSize(long stallNanos) {
    this.stallNanos = stallNanos;
  }

  /** The next step, from {@link #MIN_BYTES} to {@link #MAX_BYTES}. */
  long bytes() {
    return bytes;
  }

  /**
   * Notes how long another client waits before a step. One such wait says little where they differ:
   * the longest of the last steps counts, three quarters as much with each.
   *
   * @param nowNanos as System.nanoTime
   */
  void noteUsual(long waitedNanos, long nowNanos) {
    boolean recent = nowNanos - notedNanos < RECENT_NANOS;
    usualNanos = recent ? Math.max(waitedNanos, usualNanos / 4 * 3) : waitedNanos;
    notedNanos = nowNanos;
  }

  /**
   * Notes how long another client waited in a step.
   *
   * @return what the step added to the usual wait, in nanoseconds, if that was too much; else 0
   */
  long noteStep(long waitedNanos) {
    long causedNanos = waitedNanos - usualNanos;
    boolean tooLong = causedNanos > stallNanos;
    bytes = tooLong ? Math.max(MIN_BYTES, bytes / 2) : Math.min(MAX_BYTES, bytes * 2);
    return tooLong ? causedNanos : 0;
  }
}
