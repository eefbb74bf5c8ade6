package io.dynims.torture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.torture.plan.PlanDraw;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A thousand seeds break no rule but for the kinds that are known, which still have to: {@code
 * ./dynims torture --known} prints the list anew.
 */
class SeedsTest {

  private static final long SEEDS = 1_000;

  @Test
  void onlyWhatIsKnownFails() throws IOException {
    Set<String> found = new TreeSet<>();
    SeedCoverage coverage = new SeedCoverage();
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = Run.of(PlanDraw.draw(seed));
      coverage.add(run);
      for (String rule : run.violations().keySet()) {
        found.add(seed + "," + rule);
      }
    }

    assertThat(found).isEqualTo(known());
    assertThat(coverage.missingPairs()).as("pairs of features that no run has").isEmpty();
  }

  /** Without the kinds. */
  private static Set<String> known() throws IOException {
    try (InputStream in = Torture.class.getResourceAsStream("known.csv")) {
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .skip(1)
          .map(line -> line.substring(0, line.lastIndexOf(',')))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
