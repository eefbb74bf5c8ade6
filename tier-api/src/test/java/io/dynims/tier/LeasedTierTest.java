package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeasedTierTest {

  private static final long NEVER_MILLIS = TierRequest.MAX_LEASE_MILLIS;

  private final InMemoryTierStore store = new InMemoryTierStore("memory", 0, 1_000);
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void reportsNoLeaseBeforeTheFirstRequest() throws Exception {
    LeasedTier tier = new LeasedTier(store, GuardSettings.none(), Clock.systemUTC(), nanos::get);
    assertThat(tier.status().leaseHeld()).isNull();
    assertThat(tier.status().sampledMillis()).isNull();
  }

  @Test
  void aRejectedSampleChangesNeitherTheCapacityNorTheLease() throws Exception {
    LeasedTier tier = new LeasedTier(store, GuardSettings.none(), Clock.systemUTC(), nanos::get);
    tier.apply(new TierRequest(900, 10, NEVER_MILLIS));

    assertThatThrownBy(() -> tier.apply(new TierRequest(500, 9, NEVER_MILLIS)))
        .isInstanceOf(OutdatedSampleException.class)
        .hasMessageContaining("sampledMillis: 9 is older than the last one applied, 10");
    assertThat(tier.status().capacityBytes()).isEqualTo(900);
    assertThat(tier.status().sampledMillis()).isEqualTo(10);
  }

  @Test
  void aControllerWhoseTermIsOverIsRefusedWhileTheLeaseRuns() throws Exception {
    LeasedTier tier = new LeasedTier(store, GuardSettings.none(), Clock.systemUTC(), nanos::get);
    tier.apply(request(900, 10, "a", 3L));
    tier.apply(request(800, 10, "b", 4L));

    assertThatThrownBy(() -> tier.apply(request(700, 20, "a", 3L)))
        .isInstanceOf(SupersededException.class)
        .hasMessageContaining("term: 3 is over, b has the tier in term 4");
    assertThat(tier.status().capacityBytes()).isEqualTo(800);

    nanos.addAndGet(1_000_000_000);
    assertThat(tier.apply(request(700, 20, "a", 3L)).capacityBytes()).isEqualTo(700);
  }

  @Test
  void aControllerThatTellsNoTermIsNotRefused() throws Exception {
    LeasedTier tier = new LeasedTier(store, GuardSettings.none(), Clock.systemUTC(), nanos::get);
    tier.apply(request(900, 10, "a", 3L));

    assertThat(tier.apply(new TierRequest(800, 11, 1_000)).capacityBytes()).isEqualTo(800);
    assertThat(tier.apply(request(700, 12, "b", 1L)).capacityBytes()).isEqualTo(700);
  }

  @Test
  void aNameThatCouldForgeALogLineIsRefused() {
    assertThatThrownBy(() -> request(900, 10, "a\nb", 3L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("controller: ");
  }

  private static TierRequest request(long bytes, long sampledMillis, String controller, Long term) {
    return new TierRequest(bytes, sampledMillis, 1_000, null, null, controller, term);
  }

  @Test
  void aRequestToAnUnavailableStoreDoesNotCountAsApplied() throws Exception {
    LeasedTier tier = new LeasedTier(store, GuardSettings.none(), Clock.systemUTC(), nanos::get);
    store.setAway(true);
    assertThatThrownBy(() -> tier.apply(new TierRequest(500, 10, NEVER_MILLIS)))
        .isInstanceOf(StoreUnavailableException.class);

    store.setAway(false);
    assertThat(tier.apply(new TierRequest(500, 9, NEVER_MILLIS)).capacityBytes()).isEqualTo(500);
  }
}
