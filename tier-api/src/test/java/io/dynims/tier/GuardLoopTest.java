package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.law.LawType;
import io.dynims.core.law.Limit;
import io.dynims.core.node.NodeSampler;
import io.dynims.core.wire.Decider;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardLoopTest {

  private static final long M = 10_000;
  private static final long LEASE_MILLIS = 5_000;
  private static final Policy POLICY = policy("n1", Mode.Enforce);

  private final InMemoryTierStore store = new InMemoryTierStore("t", 0, 5_000);
  private final AtomicLong nanos = new AtomicLong();
  private final Clock clock = new TestClock();
  private final Jobs jobs = new Jobs();
  private final StateFile inMemory = StateFile.open(Optional.empty());

  /** The time that the test makes pass. */
  private final class TestClock extends Clock {

    private final long startMillis = System.currentTimeMillis();

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(startMillis).plusNanos(nanos.get());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  /** What the jobs and the tier's data hold. */
  private final class Jobs implements NodeSampler {

    long bytes;
    volatile boolean isMistaken;
    final AtomicInteger mistakes = new AtomicInteger();
    private long usedBytes;

    @Override
    public void sample(boolean exact) throws IOException {
      if (isMistaken) {
        mistakes.incrementAndGet();
        throw new IllegalStateException("a mistake");
      }
      try {
        usedBytes = bytes + store.status().usedBytes();
      } catch (StoreUnavailableException e) {
        throw new IOException(e);
      }
    }

    @Override
    public long totalBytes() {
      return M;
    }

    @Override
    public long usedBytes() {
      return usedBytes;
    }

    @Override
    public long stalledMicros() {
      return UNKNOWN;
    }

    @Override
    public void close() {}
  }

  @Test
  void standsByWhileAControllerHasTheTierAndDecidesOnceTheLeaseIsOver() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    assertThat(tier.status().guard()).as("no policy is known").isNull();

    tier.apply(new TierRequest(5_000, 10, LEASE_MILLIS, null, POLICY));
    tick(tier, loop, 4_600);
    assertThat(tier.status().guard()).isEqualTo(GuardState.Standby);
    assertThat(tier.status().capacityBytes()).as("0.96 is not critical").isEqualTo(5_000);
    assertThat(tier.status().guardDecidedMillis()).isNull();

    nanos.addAndGet(LEASE_MILLIS * 1_000_000);
    loop.tick(tier.guard());
    assertThat(tier.status().guard()).isEqualTo(GuardState.Deciding);
    assertThat(tier.status().capacityBytes()).isLessThan(5_000);
    Target decision = tier.decisions(0, 10).get(0);
    assertThat(decision.decidedBy()).isEqualTo(Decider.Guard);
    assertThat(decision.reason()).startsWith("no controller; utilization 0.9600 is above");
    assertThat(tier.status().guardDecidedMillis()).isEqualTo(decision.decidedMillis());

    tier.apply(new TierRequest(4_000, 1, LEASE_MILLIS));
    assertThat(tier.status().guard()).isEqualTo(GuardState.Standby);
    loop.tick(tier.guard());
    assertThat(tier.status().capacityBytes()).isEqualTo(4_000);
  }

  @Test
  void brakesUnderALeaseAndAPushThatDidNotKnowDoesNotUndoIt() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    tier.apply(new TierRequest(5_000, 10, LEASE_MILLIS, null, POLICY));
    tick(tier, loop, 4_900);

    assertThat(tier.status().capacityBytes()).isEqualTo(4_600);
    assertThat(tier.status().guard()).isEqualTo(GuardState.Braking);
    assertThat(tier.decisions(0, 10).get(0).limitedBy()).isEqualTo(Limit.Guard);

    tier.apply(new TierRequest(5_000, 11, LEASE_MILLIS, 5_000L, null));
    assertThat(tier.status().capacityBytes()).as("a Hold of what was").isEqualTo(4_600);
    nanos.addAndGet(100_000_000);
    jobs.bytes = 4_500;
    loop.tick(tier.guard());
    tier.apply(new TierRequest(5_000, 12, LEASE_MILLIS, 4_950L, null));
    assertThat(tier.status().capacityBytes()).as("grows what was by 50").isEqualTo(4_650);
    tier.apply(new TierRequest(4_900, 13, LEASE_MILLIS, 4_650L, null));
    assertThat(tier.status().capacityBytes()).as("knows what is").isEqualTo(4_900);
    tier.apply(new TierRequest(4_500, 14, LEASE_MILLIS, 5_000L, null));
    assertThat(tier.status().capacityBytes()).as("shrinks").isEqualTo(4_500);

    nanos.addAndGet(1_000_000_000);
    assertThat(tier.status().guard()).isEqualTo(GuardState.Standby);
    nanos.addAndGet(9_000_000_000L);
    tier.apply(new TierRequest(5_000, 15, LEASE_MILLIS));
    assertThat(tier.status().capacityBytes()).isEqualTo(5_000);
  }

  @Test
  void aPushDoesNotUndoABrakeThatTheStoreStillFollows() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    brakePinned(tier, loop);
    assertThat(tier.status().capacityBytes()).as("on the way to 4,600").isEqualTo(4_900);

    store.pin(0);
    tier.apply(new TierRequest(4_900, 11, LEASE_MILLIS, 4_900L, null));
    assertThat(tier.status().capacityBytes()).isEqualTo(4_600);
  }

  @Test
  void whatTheStoreStillHoldsIsNotFreedForABrakeOnceThereIsRoom() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    brakePinned(tier, loop);
    nanos.addAndGet(100_000_000);
    jobs.bytes = 4_550;
    loop.tick(tier.guard());

    store.pin(0);
    tier.apply(new TierRequest(4_900, 11, LEASE_MILLIS, 5_000L, null));
    assertThat(tier.status().capacityBytes()).as("the brake asked for 4,600").isEqualTo(4_900);
  }

  /** Its process has 300 bytes more than its data, which it does not free. */
  @Test
  void afterABrakeWhatAFragmentedStoreKeepsIsNoCapacity() throws Exception {
    LeasedTier tier =
        new LeasedTier(
            new Fragmented(),
            new GuardSettings("n1", Optional.of(jobs), inMemory),
            clock,
            nanos::get);
    GuardLoop loop = loop(tier);
    tier.apply(new TierRequest(5_000, 10, LEASE_MILLIS, null, POLICY));
    tick(tier, loop, 4_900);
    assertThat(tier.status().capacityBytes()).isEqualTo(4_900);
    nanos.addAndGet(100_000_000);
    jobs.bytes = 4_550;
    loop.tick(tier.guard());

    tier.apply(new TierRequest(5_000, 11, LEASE_MILLIS, 5_000L, null));
    assertThat(tier.status().capacityBytes()).isEqualTo(4_900);
  }

  private final class Fragmented implements TierStore {

    @Override
    public TierStatus status() throws StoreUnavailableException {
      return status(store.status());
    }

    @Override
    public TierStatus resize(long desiredBytes) throws StoreUnavailableException {
      return status(store.resize(desiredBytes));
    }

    private static TierStatus status(TierStatus data) {
      return new TierStatus(
          data.tier(),
          data.capacityBytes(),
          data.minBytes(),
          data.maxBytes(),
          data.usedBytes(),
          0,
          0,
          null,
          null,
          data.storeVersion(),
          null,
          data.usedBytes() + 300);
    }
  }

  @Test
  void afterABrakeNoPushGrowsTheTierBeyondWhatTheGuardSeesRoomFor() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    tier.apply(new TierRequest(5_000, 10, LEASE_MILLIS, null, POLICY));
    tick(tier, loop, 4_900);
    nanos.addAndGet(100_000_000);
    jobs.bytes = 4_700;
    loop.tick(tier.guard());

    tier.apply(new TierRequest(5_000, 11, LEASE_MILLIS, 4_600L, null));
    assertThat(tier.status().capacityBytes()).as("by a wrong sample").isEqualTo(4_800);
  }

  @Test
  void aPolicyThatIsNotEnforcedEndsItsWork() throws Exception {
    LeasedTier tier = tier(inMemory);
    tier.apply(new TierRequest(4_000, 1, 1, null, POLICY));
    nanos.addAndGet(1_000_000);
    assertThat(tier.status().guard()).isEqualTo(GuardState.Deciding);

    for (Mode mode : new Mode[] {Mode.Recommend, Mode.Off}) {
      tier.apply(new TierRequest(4_000, 2, 1, null, POLICY));
      tier.apply(new TierRequest(4_000, 2, 1, null, policy("n1", mode)));
      assertThat(tier.status().guard()).as("%s", mode).isNull();
    }
  }

  @Test
  void guardsRightAfterItsStartByThePolicyThatWasSaved(@TempDir Path folder) throws Exception {
    Optional<Path> file = Optional.of(folder.resolve("state"));
    StateFile before = StateFile.open(file);
    tier(before).apply(new TierRequest(4_000, 1, LEASE_MILLIS, null, POLICY));
    before.save();

    LeasedTier restarted = tier(StateFile.open(file));
    assertThat(restarted.status().guard()).isEqualTo(GuardState.Deciding);
    store.write(5_000);
    jobs.bytes = 5_500;
    loop(restarted).tick(restarted.guard());
    assertThat(restarted.status().usedBytes() + jobs.bytes).isLessThanOrEqualTo(9_600);
  }

  @Test
  void refusesThePolicyOfAnotherNode() throws Exception {
    LeasedTier tier = tier(inMemory);
    var request = new TierRequest(1_000, 1, LEASE_MILLIS, null, policy("n2", Mode.Enforce));

    assertThatThrownBy(() -> tier.apply(request))
        .isInstanceOf(MisdirectedException.class)
        .hasMessageContaining("of node 'n2', but this is node 'n1'");
    assertThat(tier.status().capacityBytes()).isEqualTo(5_000);
    assertThat(tier.status().node()).isEqualTo("n1");
  }

  @Test
  void aStoreThatIsAwayDoesNotEndTheGuard() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    tier.apply(new TierRequest(5_000, 1, 1, null, POLICY));
    nanos.addAndGet(1_000_000);
    store.write(5_000);
    store.setAway(true);
    loop.tick(tier.guard());

    store.setAway(false);
    jobs.bytes = 4_900;
    loop.tick(tier.guard());
    assertThat(tier.status().capacityBytes()).isLessThan(5_000);
  }

  @Test
  void aMistakeInThisProgramDoesNotEndTheGuardAndShowsInATest() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    tier.apply(new TierRequest(5_000, 1, 1, null, POLICY));
    jobs.isMistaken = true;

    assertThatThrownBy(() -> loop.tick(tier.guard())).isInstanceOf(IllegalStateException.class);

    loop.start();
    await().until(() -> jobs.mistakes.get() > 3);
    loop.close();
  }

  @Test
  void decisionsAreReadInPagesOldestFirst() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    tier.apply(new TierRequest(5_000, 1, 1, null, POLICY));
    nanos.addAndGet(1_000_000);
    store.write(5_000);
    for (int i = 0; i < 4; i++) {
      jobs.bytes = 4_900 + 300L * i;
      loop.tick(tier.guard());
      nanos.addAndGet(100_000_000);
    }

    var first = tier.decisions(0, 2);
    assertThat(first).hasSize(2).isSortedAccordingTo((a, b) -> order(a, b));
    var rest = tier.decisions(first.get(1).decidedMillis(), 64);
    assertThat(rest).hasSizeGreaterThanOrEqualTo(2);
    assertThat(rest.get(0).decidedMillis()).isGreaterThan(first.get(1).decidedMillis());
  }

  /** Fills the tier, which leaves the jobs so much, and lets the guard look. */
  @Test
  void makesRoomForWhatAJobAnnouncedWhileNoControllerHasTheTier() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    tier.apply(new TierRequest(5_000, 10, LEASE_MILLIS, null, POLICY));
    tick(tier, loop, 4_000);
    nanos.addAndGet(LEASE_MILLIS * 1_000_000);
    loop.tick(tier.guard());
    assertThat(tier.status().capacityBytes()).as("0.9 is below the threshold").isEqualTo(5_000);
    assertThat(tier.status().hints()).isNull();

    tier.putHint(new HintRequest("n1", "job", 2_500, null, null));
    nanos.addAndGet(100_000_000);
    loop.tick(tier.guard());

    assertThat(tier.status().hints()).hasSize(1);
    assertThat(tier.status().capacityBytes())
        .as("0.95 M - 4,000 - 2,500, and a little for a rise that may go on")
        .isBetween(2_900L, 3_000L);
    assertThat(tier.decisions(0, 10)).last().extracting(Target::hintedBytes).isEqualTo(2_500L);
  }

  @Test
  void knowsWhatOfAHintWasTakenWhileAControllerHadTheTier() throws Exception {
    LeasedTier tier = tier(inMemory);
    GuardLoop loop = loop(tier);
    tier.apply(new TierRequest(5_000, 10, LEASE_MILLIS, null, POLICY));
    tick(tier, loop, 1_900);
    tier.putHint(new HintRequest("n1", "job", 2_500, null, null));
    for (long jobBytes : new long[] {1_900, 1_900, 2_300, 2_700, 3_100, 3_500, 3_900}) {
      nanos.addAndGet(200_000_000);
      tick(tier, loop, jobBytes);
    }
    tier.apply(new TierRequest(5_000, 11, LEASE_MILLIS, null, policy("n1", Mode.Enforce, 200)));
    assertThat(tier.status().capacityBytes()).as("there is room for both").isEqualTo(5_000);

    nanos.addAndGet(LEASE_MILLIS * 1_000_000);
    loop.tick(tier.guard());

    assertThat(tier.status().guard()).isEqualTo(GuardState.Deciding);
    assertThat(tier.status().capacityBytes()).as("the job has what it announced").isEqualTo(5_000);
  }

  private void tick(LeasedTier tier, GuardLoop loop, long jobBytes) {
    store.write(5_000);
    jobs.bytes = jobBytes;
    loop.tick(tier.guard());
  }

  /** The guard asks for 4,600; 4,900 of the data are pinned. */
  private void brakePinned(LeasedTier tier, GuardLoop loop) throws Exception {
    tier.apply(new TierRequest(5_000, 10, LEASE_MILLIS, null, POLICY));
    store.write(5_000);
    store.pin(4_900);
    tick(tier, loop, 4_900);
  }

  private GuardLoop loop(LeasedTier tier) {
    return new GuardLoop(tier, jobs, clock, nanos::get);
  }

  private static int order(Target one, Target other) {
    return Long.compare(one.decidedMillis(), other.decidedMillis());
  }

  private LeasedTier tier(StateFile file) {
    return new LeasedTier(
        store, new GuardSettings("n1", Optional.of(jobs), file), clock, nanos::get);
  }

  private static Policy policy(String node, Mode mode) {
    return policy(node, mode, 100);
  }

  private static Policy policy(String node, Mode mode, long intervalMillis) {
    return new Policy(
        node,
        "t",
        mode,
        LawType.Forecast,
        0.95,
        0.75,
        0L,
        null,
        5_000L,
        null,
        null,
        intervalMillis,
        2_000,
        null);
  }
}
