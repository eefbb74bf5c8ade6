package io.dynims.runtime.log;

/**
 * Permits a number of log lines at once and, when they are used up, some a second; counts the lines
 * it suppresses. So a fleet that changes all at once cannot spend its processor time on the log.
 * For use by one thread.
 */
public final class LogBudget {

  private static final int CHANGES_BURST = 10_000;
  private static final int CHANGES_PER_SECOND = 100;

  private final int burst;
  private final int perSecond;
  private double left;
  private long refilledMillis;
  private long suppressed;

  /** A budget that is full. */
  public LogBudget(int burst, int perSecond) {
    this.burst = burst;
    this.perSecond = perSecond;
    left = burst;
  }

  /** The budget of a program that logs each change of a fleet. */
  public static LogBudget ofChanges() {
    return new LogBudget(CHANGES_BURST, CHANGES_PER_SECOND);
  }

  /** Whether to log a line now. */
  public boolean permit(long nowMillis) {
    refill(nowMillis);
    if (left < 1) {
      suppressed++;
      return false;
    }
    left--;
    return true;
  }

  /**
   * The number of lines suppressed since it was last taken, if there is room for a line about them
   * again; otherwise 0.
   */
  public long takeSuppressed(long nowMillis) {
    refill(nowMillis);
    if (suppressed == 0 || left < 1) {
      return 0;
    }
    left--;
    long taken = suppressed;
    suppressed = 0;
    return taken;
  }

  private void refill(long nowMillis) {
    // A clock that is set back does not silence the log.
    long passedMillis = Math.max(0, nowMillis - refilledMillis);
    left = Math.min(burst, left + perSecond * (passedMillis / 1e3));
    refilledMillis = nowMillis;
  }
}
