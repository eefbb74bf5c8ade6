package io.dynims.experiments.bench;

import java.util.List;

/**
 * A goal and what was measured. A missed goal is reported and fails nothing, because a benchmark
 * also measures the machine.
 */
public record Goal(String figure, String goal, String measured, boolean met) {

  /** The goals as a table. */
  static Table table(List<Goal> goals) {
    return new Table(
        "Goals",
        List.of("figure", "goal", "measured", "met"),
        goals.stream()
            .map(g -> List.of(g.figure(), g.goal(), g.measured(), g.met() ? "yes" : "no"))
            .toList());
  }
}
