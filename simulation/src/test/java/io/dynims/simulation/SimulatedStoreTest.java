package io.dynims.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimulatedStoreTest {

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
}
