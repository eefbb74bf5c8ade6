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
    "348,eviction,LateAnswer",
    "1412,eviction,FailedNeighbour",
    "902,eviction,PushedRecommendation",
    "530,room,RepeatedBrake",
    "221,eviction,EachGuard",
    "359,eviction,OldUse",
    "668,memory,OldUse",
    "7,memory,UnguardedPolicy",
    "79,memory,UnseenTier",
    "178,eviction,EmptyShare",
    "877,room,FalseFigure"
  })
  void aRunIsCutToTheEventsThatMatter(long seed, String rule, Kind kind) {
    Plan cut = new Shrinker(rule).shrink(PlanDraw.draw(seed));

    assertThat(Run.of(cut).violations()).containsKey(rule);
    assertThat(cut.events()).hasSizeLessThanOrEqualTo(3);
    assertThat(cut.nodes()).hasSize(1);
    assertThat(Kind.of(rule, cut)).isEqualTo(kind);
  }
}
