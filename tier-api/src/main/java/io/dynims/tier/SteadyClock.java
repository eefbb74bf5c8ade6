package io.dynims.tier;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Epoch milliseconds that do not step with the machine's clock until they are set to it again. */
final class SteadyClock {

  private final Clock clock;
  private final LongSupplier nanoTime;
  private long setMillis;
  private long setNanos;

  SteadyClock(Clock clock, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    set();
  }

  /** Sets it to the machine's clock. */
  void set() {
    setMillis = clock.millis();
    setNanos = nanoTime.getAsLong();
  }

  long millis() {
    return setMillis + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - setNanos);
  }
}
