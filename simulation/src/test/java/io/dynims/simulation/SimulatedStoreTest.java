package io.dynims.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedStoreTest {

  private static final long ANY_DEMAND = Long.MAX_VALUE;
  private static final Rates SLOW = new Rates(100, 50);

  private final VirtualTime time = new VirtualTime();

  private SimulatedStore store(boolean limitsAtOnce, long grainBytes) {
    var behaviour =
        new SimulatedStore.Behaviour(100, 1_000, new Rates(200, 50), grainBytes, limitsAtOnce, 1.1);
    return new SimulatedStore(time, behaviour, 1_000, 1_000);
  }

  @Test
  void itFreesAtItsRateAndItsLimitFollows() {
    SimulatedStore store = store(false, 1);

    store.limit(500);
    assertThat(store.freeingMillis()).isEqualTo(2_500);
    time.runUntil(1_000);

    assertThat(store.heldBytes()).isEqualTo(800);
    assertThat(store.capacityBytes()).isEqualTo(800);
    assertThat(store.toldBytes()).isEqualTo(880);
    assertThat(store.evictedBytes()).isEqualTo(200);
    time.runUntil(9_000);
    assertThat(store.capacityBytes()).isEqualTo(500).isEqualTo(store.heldBytes());
  }

  @Test
  void itMayTellLateWhatItHolds() {
    var behaviour = new SimulatedStore.Behaviour(0, 1_000, new Rates(200, 50), 1, true, 1, 500);
    SimulatedStore store = new SimulatedStore(time, behaviour, 1_000, 1_000);

    store.limit(0);
    for (int millis = 100; millis <= 1_500; millis += 100) {
      time.runUntil(millis);
      assertThat(store.heldBytes()).isEqualTo(1_000 - millis / 5);
      assertThat(store.toldBytes()).isEqualTo(1_000 - Math.max(0, millis - 500) / 5);
    }
  }

  @Test
  void aLimitMayBeInForceAtOnce() {
    SimulatedStore store = store(true, 1);

    store.limit(500);

    assertThat(store.capacityBytes()).isEqualTo(500);
    assertThat(store.heldBytes()).isEqualTo(1_000);
  }

  @Test
  void itsLimitIsAMultipleOfTheGrainWithinItsBounds() {
    SimulatedStore store = store(true, 64);

    assertThat(store.rounded(500)).isEqualTo(448);
    assertThat(store.rounded(0)).isEqualTo(100);
    assertThat(store.rounded(Long.MAX_VALUE)).isEqualTo(960);
  }

  @Test
  void whatIsLockedStays() {
    SimulatedStore store = store(false, 1);
    store.lock(700);

    store.limit(500);
    time.runUntil(60_000);

    assertThat(store.heldBytes()).isEqualTo(700);
    assertThat(store.unevictableBytes()).isEqualTo(200);
    assertThat(store.freeingMillis()).isZero();
  }

  @Test
  void aSlowStoreFreesAndFillsMoreSlowly() {
    SimulatedStore store = store(false, 1);
    store.slow(2);
    store.limit(500);
    time.runUntil(1_000);
    assertThat(store.heldBytes()).isEqualTo(900);

    store.limit(1_000);
    time.runUntil(2_000);

    assertThat(store.heldBytes()).isEqualTo(925);
    assertThat(store.filledBytes()).isEqualTo(25);
  }

  @Test
  void jobsTakeWhatIsLeftAndWaitForTheRest() {
    var node = new SimulatedNode(time, 1_500, 0, 1);
    SimulatedStore store = store(true, 1);
    node.add(store);
    node.add(new Load(0, 0, 800, Long.MAX_VALUE));
    assertThat(node.jobBytes()).isEqualTo(500);
    assertThat(node.usedBytes()).isEqualTo(1_500);

    store.limit(100);
    time.runUntil(10_000);

    assertThat(node.jobBytes()).isEqualTo(800);
    assertThat(node.usedBytes()).isEqualTo(900);
  }

  private SimulatedStore store(long heldBytes, long lockedBytes, Rates rates) {
    SimulatedStore store = SimulatedStore.unbounded(time, rates, 1_000, heldBytes);
    store.lock(lockedBytes);
    return store;
  }

  private void pass(SimulatedStore store, long millis, long demandBytes) {
    store.demand(demandBytes);
    time.runUntil(time.millis() + millis);
  }

  @Test
  void keepsWhatIsLockedInForceUntilItMayGo() {
    var tier = store(1_000, 600, Rates.UNLIMITED);

    tier.limit(200);
    pass(tier, 1_000, ANY_DEMAND);

    assertThat(tier.limitBytes()).isEqualTo(200);
    assertThat(tier.capacityBytes()).isEqualTo(600);
    assertThat(tier.heldBytes()).isEqualTo(600);

    pass(tier, 1_000, 300);
    assertThat(tier.capacityBytes()).as("after the data was deleted").isEqualTo(300);
  }

  @Test
  void locksNoMoreThanItHolds() {
    var tier = store(100, 600, Rates.UNLIMITED);

    tier.limit(50);

    assertThat(tier.capacityBytes()).isEqualTo(100);
  }

  @Test
  void fillsUpToTheDemandAndCountsIt() {
    var tier = store(100, 0, SLOW);

    pass(tier, 1_000, 400);
    assertThat(tier.heldBytes()).isEqualTo(150);
    pass(tier, 60_000, 400);
    assertThat(tier.heldBytes()).isEqualTo(400);
    assertThat(tier.filledBytes()).isEqualTo(300);
    assertThat(tier.evictedBytes()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"300, 1000, 700", "1000, 300, 0", "500, 300, 500"})
  void countsAsEvictedOnlyWhatTheCapacityForcesOut(long capacity, long demand, long evicted) {
    var tier = store(1_000, 0, Rates.UNLIMITED);

    tier.limit(capacity);
    pass(tier, 1_000, demand);

    assertThat(tier.heldBytes()).isEqualTo(Math.min(capacity, demand));
    assertThat(tier.evictedBytes()).isEqualTo(evicted);
  }

  @Test
  void evictsAtItsRate() {
    var tier = store(1_000, 0, SLOW);

    tier.limit(500);
    pass(tier, 1_000, ANY_DEMAND);

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
