package io.dynims.simulation;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A machine's clocks in virtual time: one of the day, which may be wrong, and a steady one. */
public final class MachineClock extends Clock {

  /** The time of day at the beginning; the loop takes 0 for "never". */
  public static final long EPOCH_MILLIS = 1_700_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final VirtualTime time;
  private final double drift;
  private long offsetMillis;

  /**
   * A clock.
   *
   * @param drift by which part of the time it is too fast; negative if it is too slow
   */
  public MachineClock(VirtualTime time, double drift) {
    this.time = time;
    this.drift = drift;
  }

  /** Sets the time of day forward, or back if negative. */
  public void step(long millis) {
    offsetMillis += millis;
  }

  @Override
  public long millis() {
    return EPOCH_MILLIS + offsetMillis + nanos() / NANOS_PER_MILLI;
  }

  /** The steady clock. */
  public long nanos() {
    return time.nanos() + (long) (drift * time.nanos());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("a machine's clock has no zone");
  }
}
