package io.dynims.experiments.demo;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for a condition, for a limited time. */
public final class Await {

  private Await() {}

  /**
   * Waits.
   *
   * @param atMostMillis how long to wait, at least 0
   * @param pollMillis the time between two checks, above 0
   * @return whether the condition was met
   */
  public static boolean until(long atMostMillis, long pollMillis, BooleanSupplier condition)
      throws InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - endNanos >= 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(pollMillis);
    }
    return true;
  }
}
