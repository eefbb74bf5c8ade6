package io.dynims.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedTierTest {

  private static final long ANY_DEMAND = Long.MAX_VALUE;
  private static final Rates SLOW = new Rates(100, 50);

  @Test
  void keepsWhatIsLockedInForceUntilItMayGo() {
    var tier = new SimulatedTier(1_000, 1_000, 600, Rates.UNLIMITED);

    tier.resize(200);
    tier.pass(1_000, ANY_DEMAND);

    assertThat(tier.desiredBytes()).isEqualTo(200);
    assertThat(tier.capacityBytes()).isEqualTo(600);
    assertThat(tier.heldBytes()).isEqualTo(600);

    tier.pass(1_000, 300);
    assertThat(tier.capacityBytes()).as("after the data was deleted").isEqualTo(300);
  }

  @Test
  void locksNoMoreThanItHolds() {
    var tier = new SimulatedTier(1_000, 100, 600, Rates.UNLIMITED);

    tier.resize(50);

    assertThat(tier.capacityBytes()).isEqualTo(100);
  }

  @Test
  void fillsUpToTheDemandAndCountsIt() {
    var tier = new SimulatedTier(1_000, 100, 0, SLOW);

    tier.pass(1_000, 400);
    assertThat(tier.heldBytes()).isEqualTo(150);
    tier.pass(60_000, 400);
    assertThat(tier.heldBytes()).isEqualTo(400);
    assertThat(tier.filledBytes()).isEqualTo(300);
    assertThat(tier.evictedBytes()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"300, 1000, 700", "1000, 300, 0", "500, 300, 500"})
  void countsAsEvictedOnlyWhatTheCapacityForcesOut(long capacity, long demand, long evicted) {
    var tier = new SimulatedTier(1_000, 1_000, 0, Rates.UNLIMITED);

    tier.resize(capacity);
    tier.pass(1_000, demand);

    assertThat(tier.heldBytes()).isEqualTo(Math.min(capacity, demand));
    assertThat(tier.evictedBytes()).isEqualTo(evicted);
  }

  @Test
  void evictsAtItsRate() {
    var tier = new SimulatedTier(1_000, 1_000, 0, SLOW);

    tier.resize(500);
    tier.pass(1_000, ANY_DEMAND);

    assertThat(tier.capacityBytes()).isEqualTo(500);
    assertThat(tier.heldBytes()).isEqualTo(900);
    assertThat(tier.evictedBytes()).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0", "0.98, 0", "1.015, 0.5", "1.05, 1", "1.3, 1"})
  void tasksStallAsMemoryRunsOut(double utilization, double share) {
    var stall = new StallModel();

    stall.pass(utilization, 200);
    stall.pass(utilization, 100);

    assertThat(stall.stalledMicros()).isEqualTo(Math.round(share * 300_000));
  }
}
