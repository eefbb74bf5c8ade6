package io.dynims.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.torture.plan.PlanDraw;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A thousand seeds break no rule. */
class SeedsTest {

  private static final long SEEDS = 1_000;

  @Test
  void noneBreaksARule() {
    Set<String> found = new TreeSet<>();
    SeedCoverage coverage = new SeedCoverage();
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = Run.of(PlanDraw.draw(seed));
      coverage.add(run);
      for (String rule : run.violations().keySet()) {
        found.add(seed + "," + rule);
      }
    }

    assertThat(found).isEmpty();
    assertThat(coverage.missingPairs()).as("pairs of features that no run has").isEmpty();
  }
}
