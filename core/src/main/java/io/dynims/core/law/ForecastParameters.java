package io.dynims.core.law;

/**
 * What {@link ForecastLaw} takes besides the parameters of every law. Sizes are bytes or parts of
 * M.
 *
 * @param lookAheadMillis how far ahead the jobs' memory is forecast, 0 to 60,000: the time from one
 *     decision until the next one is in force
 * @param deadBand the part of M by which the set point may be missed before the capacity moves, in
 *     [0, 0.1]
 * @param settleMillis how long there must have been room before the capacity grows, 0 to 600,000
 * @param headStart how far the capacity may be above what the tier holds, above 0
 * @param reserve what to leave free for blocks that cannot be evicted at once: readers × block size
 * @param maxGrow the largest growth in one decision, above 0; all of M for any
 * @param maxShrink the largest shrink in one decision, above 0; all of M for any
 * @param pressureLimit the share of time in which tasks wait for memory, in (0, 1], above which the
 *     capacity does not grow; 1 for never
 */
public record ForecastParameters(
    long lookAheadMillis,
    double deadBand,
    long settleMillis,
    MemorySize headStart,
    MemorySize reserve,
    MemorySize maxGrow,
    MemorySize maxShrink,
    double pressureLimit) {

  public static final double DEFAULT_DEAD_BAND = 0.005;
  public static final MemorySize DEFAULT_HEAD_START = MemorySize.ofRatio(0.1);

  /** As a service manager's default: a tenth of the time. */
  public static final double DEFAULT_PRESSURE_LIMIT = 0.1;

  private static final long MAX_LOOK_AHEAD_MILLIS = 60_000;
  private static final long MAX_SETTLE_MILLIS = 600_000;
  private static final double MAX_DEAD_BAND = 0.1;
  private static final MemorySize NOTHING = MemorySize.ofBytes(0);
  private static final MemorySize EVERYTHING = MemorySize.ofRatio(1);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the parameter, its value and its range
   */
  public ForecastParameters {
    checkLookAhead(lookAheadMillis);
    checkDeadBand(deadBand);
    checkSettle(settleMillis);
    checkAboveZero("headStart", headStart);
    checkAboveZero("maxGrow", maxGrow);
    checkAboveZero("maxShrink", maxShrink);
    checkPressureLimit(pressureLimit);
  }

  /**
   * The defaults at a control interval of this length: one decision acts until the next is in
   * force, which is one and a half intervals later; two good samples in a row let the tier grow.
   */
  public static ForecastParameters defaults(long intervalMillis) {
    return new ForecastParameters(
        Math.min(MAX_LOOK_AHEAD_MILLIS, intervalMillis * 3 / 2),
        DEFAULT_DEAD_BAND,
        Math.min(MAX_SETTLE_MILLIS, intervalMillis * 2),
        DEFAULT_HEAD_START,
        NOTHING,
        EVERYTHING,
        EVERYTHING,
        DEFAULT_PRESSURE_LIMIT);
  }

  /** Throws IllegalArgumentException unless the time is in its range; so do all that follow. */
  public static void checkLookAhead(long millis) {
    check(
        millis >= 0 && millis <= MAX_LOOK_AHEAD_MILLIS,
        "lookAheadMillis: " + millis + " is not from 0 to " + MAX_LOOK_AHEAD_MILLIS);
  }

  public static void checkSettle(long millis) {
    check(
        millis >= 0 && millis <= MAX_SETTLE_MILLIS,
        "settleMillis: " + millis + " is not from 0 to " + MAX_SETTLE_MILLIS);
  }

  public static void checkDeadBand(double ratio) {
    check(
        ratio >= 0 && ratio <= MAX_DEAD_BAND,
        "deadBand: " + ratio + " is not from 0 to " + MAX_DEAD_BAND);
  }

  public static void checkPressureLimit(double share) {
    check(share > 0 && share <= 1, "pressureLimit: " + share + " is not above 0 and at most 1");
  }

  public static void checkAboveZero(String name, MemorySize size) {
    check(!size.isZero(), name + ": 0 is not above 0");
  }

  private static void check(boolean ok, String message) {
    if (!ok) {
      throw new IllegalArgumentException(message);
    }
  }
}
