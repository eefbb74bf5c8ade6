package io.dynims.experiments.bench;

import java.util.List;

/**
 * A goal and what was measured. One that must hold is about correctness: if it does not, the
 * command fails. A figure is about speed or cost, which also depend on the machine: it is reported,
 * and fails nothing.
 */
public record Goal(String figure, String goal, String measured, boolean met, boolean mustHold) {

  /** A goal without which the rest means nothing. */
  public static Goal mustHold(String figure, String goal, String measured, boolean met) {
    return new Goal(figure, goal, measured, met, true);
  }

  /** Nothing may be counted, of so many in all that there must be any. */
  public static Goal none(String figure, long counted, long all) {
    return mustHold(figure, "0", counted + " of " + all, counted == 0 && all > 0);
  }

  /** A goal of speed or cost. */
  public static Goal figure(String figure, String goal, String measured, boolean met) {
    return new Goal(figure, goal, measured, met, false);
  }

  /** Whether it must hold and does not. */
  public boolean isBroken() {
    return mustHold && !met;
  }

  /** The goals as a table. */
  static Table table(List<Goal> goals) {
    return new Table(
        "Goals",
        List.of("figure", "goal", "measured", "must hold", "met"),
        goals.stream()
            .map(
                g ->
                    List.of(
                        g.figure(),
                        g.goal(),
                        g.measured(),
                        g.mustHold() ? "yes" : "–",
                        g.met() ? "yes" : "no"))
            .toList());
  }
}
