package io.dynims.controller.api;

import java.util.concurrent.TimeUnit;

/** Keeps a kind of work to a quarter of the time: it rests three times as long as it took. */
final class DutyCycle {

  private static final int RESTS = 3;

  private long restsUntilNanos;

  DutyCycle(long nowNanos) {
    restsUntilNanos = nowNanos;
  }

  void worked(long fromNanos, long toNanos) {
    restsUntilNanos = toNanos + RESTS * (toNanos - fromNanos);
  }

  /** How long the next work has to wait; 0 if it need not. */
  long restMillis(long nowNanos) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(restsUntilNanos - nowNanos));
  }
}
