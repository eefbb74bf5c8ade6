package io.dynims.experiments.bench;

import java.util.List;

/**
 * What was to be reached, and what was measured. A goal that is missed is told, and fails nothing:
 * a benchmark measures the machine as well.
 */
public record Goal(String figure, String goal, String measured, boolean met) {

  /** All of them as a table. */
  static Table table(List<Goal> goals) {
    return new Table(
        "Goals",
        List.of("figure", "goal", "measured", "met"),
        goals.stream()
            .map(g -> List.of(g.figure(), g.goal(), g.measured(), g.met() ? "yes" : "no"))
            .toList());
  }
}
