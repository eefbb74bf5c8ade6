package io.dynims.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.torture.plan.Plan;
import io.dynims.torture.plan.PlanDraw;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The runs that docs/simulation.md explains are cut to few events. */
class ShrinkerTest {

  @ParameterizedTest
  @CsvSource({"4005185,eviction", "5004825,eviction"})
  void aRunIsCutToTheEventsThatMatter(long seed, String rule) {
    Plan cut = new Shrinker(rule).shrink(PlanDraw.draw(seed));

    assertThat(Run.of(cut).violations()).containsKey(rule);
    assertThat(cut.events()).hasSizeLessThanOrEqualTo(4);
    assertThat(cut.nodes()).hasSize(1);
  }

  /** The runs that docs/simulation.md says are mended. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        348, 1412, 902, 178, 221, 530, 79, 7, 137241, 311, 323, 612, 817, 877, 1065777, 149, 303,
        359, 858, 999, 2001129, 2002608, 3000459, 4001374, 4002231, 4006672, 4006770, 4007118,
        5000302, 5001160, 6000569, 6000881
      })
  void aRunThatIsMendedViolatesNothing(long seed) {
    assertThat(Run.of(PlanDraw.draw(seed)).violations()).isEmpty();
  }
}
