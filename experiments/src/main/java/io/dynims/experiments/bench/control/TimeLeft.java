package io.dynims.experiments.bench.control;

import java.time.Clock;

/** Estimates how long the rest takes, from what the runs so far took. */
final class TimeLeft {

  private static final double FIRST_GUESS = 1.6;

  private final Clock clock;
  private final long startMillis;
  private final long plannedMillis;
  private long doneMillis;

  /**
   * Starts now.
   *
   * @param plannedMillis the length of all loads, without what lies between them
   */
  TimeLeft(Clock clock, long plannedMillis) {
    this.clock = clock;
    this.startMillis = clock.millis();
    this.plannedMillis = plannedMillis;
  }

  /** Notes the end of a load of this length. */
  void done(long loadMillis) {
    doneMillis += loadMillis;
  }

  /** Such as {@code about 12 min left}. */
  String text() {
    double ratio =
        doneMillis == 0 ? FIRST_GUESS : (clock.millis() - startMillis) / (double) doneMillis;
    long seconds = Math.round(ratio * (plannedMillis - doneMillis) / 1e3);
    return seconds < 90
        ? "about " + seconds + " s left"
        : "about " + (seconds + 30) / 60 + " min left";
  }
}
