package io.dynims.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.torture.plan.Plan;
import io.dynims.torture.plan.PlanDraw;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The runs that docs/simulation.md explains are cut to few events. */
class ShrinkerTest {

  @ParameterizedTest
  @CsvSource({
    "854,eviction,LateAnswer",
    "865,eviction,FailedNeighbour",
    "206,eviction,PushedRecommendation",
    "354,room,RepeatedBrake",
    "56,memory,OldUse",
    "183,memory,UnguardedPolicy",
    "204,memory,UnseenTier",
    "714,eviction,EmptyShare",
    "582,room,FalseFigure"
  })
  void aRunIsCutToTheEventsThatMatter(long seed, String rule, Kind kind) {
    Plan cut = new Shrinker(rule).shrink(PlanDraw.draw(seed));

    assertThat(Run.of(cut).violations()).containsKey(rule);
    assertThat(cut.events()).hasSizeLessThanOrEqualTo(3);
    assertThat(cut.nodes()).hasSize(1);
    assertThat(Kind.of(rule, cut)).isEqualTo(kind);
  }
}
