package io.dynims.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition; the fixtures do without the tests' own libraries. */
final class Poll {

  private static final long INTERVAL_NANOS = Duration.ofMillis(50).toNanos();

  private Poll() {}

  /**
   * Returns when the condition holds.
   *
   * @throws IllegalStateException if it does not hold in time
   */
  static void until(Duration timeout, BooleanSupplier condition) {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > timeout.toNanos()) {
        throw new IllegalStateException("not within " + timeout.toSeconds() + " s");
      }
      LockSupport.parkNanos(INTERVAL_NANOS);
    }
  }
}
