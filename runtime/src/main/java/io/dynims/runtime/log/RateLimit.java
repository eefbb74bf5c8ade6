package io.dynims.runtime.log;

/**
 * Permits one log line per period and counts the lines it suppresses in between. For use by one
 * thread.
 */
public final class RateLimit {

  private final long periodMillis;
  private boolean permitted;
  private long permittedMillis;
  private long pending;
  private long suppressed;

  /** A limit that permits the first line. */
  public RateLimit(long periodMillis) {
    this.periodMillis = periodMillis;
  }

  /** Whether to log now. */
  public boolean permit(long nowMillis) {
    // The absolute difference, so that a clock that is set back does not silence the log.
    if (permitted && Math.abs(nowMillis - permittedMillis) < periodMillis) {
      pending++;
      return false;
    }
    permitted = true;
    permittedMillis = nowMillis;
    suppressed = pending;
    pending = 0;
    return true;
  }

  /** The number of lines suppressed between the last two permitted ones. */
  public long suppressed() {
    return suppressed;
  }
}
