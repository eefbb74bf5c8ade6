package io.dynims.controller.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.FeedbackLaw;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import org.junit.jupiter.api.Test;

/** A node of 1,000 bytes; a decision counts for at most two seconds. */
class NodeMemoryTimeTest {

  private static final long START_MILLIS = 1_800_000_000_000L;
  private static final long HOUR_MILLIS = 3_600_000;
  private static final long STALE_MILLIS = 2_000;

  private final NodeMemoryTime node = new NodeMemoryTime();
  private long nowMillis = START_MILLIS;

  @Test
  void aStaticTierWouldHaveExceededTheMemoryWhileTheElasticOneDidNot() {
    decide("a", 100, 950, 100, 200);
    decide("a", 100, 950, 100, 160);
    decide("a", 100, 950, 100, 150);
    decide("a", 100, 950, 150, 150);

    // 950 in use, and 100, 60 and 50 that a static tier would have had besides.
    assertThat(node.lastHour(nowMillis)).isEqualTo(new MemoryTime(300, 0, 200));
  }

  @Test
  void aNodeThatExceedsItsMemoryIsOverWithEitherTier() {
    decide("a", 100, 1_001, 150, 150);
    decide("a", 100, 1_000, 150, 150);
    decide("a", 100, 900, 150, 150);

    assertThat(node.lastHour(nowMillis)).isEqualTo(new MemoryTime(200, 100, 100));
  }

  @Test
  void theTiersOfANodeAreTakenTogether() {
    decide("a", 0, 950, 100, 130);
    decide("b", 100, 950, 100, 130);
    decide("a", 0, 950, 100, 130);
    decide("b", 100, 950, 100, 130);

    // Alone, each would leave the node at 980.
    assertThat(node.lastHour(nowMillis)).isEqualTo(new MemoryTime(100, 0, 100));
    assertThat(node.remove("b")).isFalse();
    assertThat(node.remove("a")).isTrue();
  }

  @Test
  void aDecisionThatIsNotFollowedCountsUntilItIsStale() {
    decide("a", 10_000, 950, 100, 200);
    decide("a", 100, 950, 100, 200);

    assertThat(node.lastHour(nowMillis).observedMillis()).isEqualTo(STALE_MILLIS);
  }

  @Test
  void afterAnHourNothingIsLeft() {
    decide("a", 100, 950, 100, 200);
    decide("a", 100, 950, 100, 200);

    assertThat(node.lastHour(nowMillis + HOUR_MILLIS / 2).staticOverMillis()).isEqualTo(100);
    assertThat(node.lastHour(nowMillis + HOUR_MILLIS + 60_000)).isEqualTo(MemoryTime.NONE);
  }

  @Test
  void decisionsFromBeforeTheStartCountOnce() {
    Target first = target("a", START_MILLIS, 950, 100);
    Target second = target("a", START_MILLIS + 100, 950, 100);
    Target third = target("a", START_MILLIS + 200, 950, 100);
    node.add(third, 200, STALE_MILLIS);
    node.add(target("a", START_MILLIS + 300, 950, 100), 200, STALE_MILLIS);
    node.addEarlier(first, 200, STALE_MILLIS);
    node.addEarlier(second, 200, STALE_MILLIS);
    node.addEarlier(third, 200, STALE_MILLIS);

    assertThat(node.lastHour(nowMillis)).isEqualTo(new MemoryTime(200, 0, 200));
  }

  /** Adds a decision; the next one is so much later. */
  private void decide(String tier, long nextMillis, long usedBytes, long capacity, long max) {
    node.add(target(tier, nowMillis, usedBytes, capacity), max, STALE_MILLIS);
    nowMillis += nextMillis;
  }

  private static Target target(String tier, long millis, long usedBytes, long capacityBytes) {
    LawParameters parameters = new LawParameters(0.95, 0.5, 0, 1_000);
    CapacityDecision decision =
        new FeedbackLaw(parameters)
            .decide(
                new LawInput(capacityBytes, capacityBytes, usedBytes, 1_000, millis),
                new NodeModel());
    return Target.of(new TierKey("n1", tier), decision, "for a test", millis, millis);
  }
}
