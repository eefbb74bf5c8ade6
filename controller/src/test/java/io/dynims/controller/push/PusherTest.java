package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.OnEventLoop;
import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.law.Limit;
import io.dynims.core.loop.PushGate;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierServer;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PusherTest implements PushListener {

  private static final String MAX = "1000";
  private static final PushSettings SETTINGS =
      new PushSettings(1_000, 300, new PushGate.Settings(5_000, 0, 0));

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Fleet fleet = new Fleet(new Fleet.HistoryBound(100, 1_000), Clock.systemUTC());
  private final List<Ack> acks = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> parts = new ArrayList<>();
  private Pusher pusher = call(() -> pusher(SETTINGS));

  /** A store that remembers what it was asked, and can be made to take its time. */
  private static final class RecordingStore implements TierStore {

    private final InMemoryTierStore store = new InMemoryTierStore("memory", 0, 1_000);
    private final List<Long> resizes = new CopyOnWriteArrayList<>();
    private final Semaphore permits = new Semaphore(1_000_000);

    @Override
    public TierStatus status() throws StoreUnavailableException {
      return store.status();
    }

    @Override
    public TierStatus resize(long capacityBytes) throws StoreUnavailableException {
      resizes.add(capacityBytes);
      permits.acquireUninterruptibly();
      return store.resize(capacityBytes);
    }
  }

  private Pusher pusher(PushSettings settings) {
    return new Pusher(vertx, Clock.systemUTC(), System::nanoTime, settings, this);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable part : parts) {
      part.close();
    }
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void aTargetComesIntoForceAndIsAcknowledged() throws Exception {
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));

    Target target = target("n1", 400);
    offer(target);

    Ack ack = awaitAck("n1", 400, AckStatus.Applied);
    assertThat(ack.capacityBytes()).isEqualTo(400);
    assertThat(ack.sampledMillis()).isEqualTo(target.sampledMillis());
    assertThat(store.store.status().capacityBytes()).isEqualTo(400);
  }

  @Test
  void anotherCapacityThanTheOneAskedForIsPartial() throws Exception {
    RecordingStore store = new RecordingStore();
    store.store.write(800);
    store.store.pin(700);
    follow(document("n1", serve(store), "Enforce", MAX));

    offer(target("n1", 400));

    Ack ack = awaitAck("n1", 400, AckStatus.Partial);
    assertThat(ack.capacityBytes()).isEqualTo(700);
    assertThat(ack.message()).contains("300 bytes");
  }

  @Test
  void whileOneRequestIsInFlightTheLatestTargetWins() throws Exception {
    RecordingStore store = new RecordingStore();
    store.permits.drainPermits();
    follow(document("n1", serve(store), "Enforce", MAX));

    offer(target("n1", 100));
    await().until(() -> store.resizes.size() == 1);
    for (long bytes = 101; bytes <= 200; bytes++) {
      offer(target("n1", bytes));
    }
    store.permits.release(1_000);

    awaitAck("n1", 200, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(100L, 200L);
  }

  @Test
  void aTierThatIsToStayAsItIsIsNotPushedAgainSoonWhereThatIsWanted() throws Exception {
    pusher =
        call(() -> pusher(new PushSettings(1_000, 300, new PushGate.Settings(5_000, 60_000, 0))));
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));
    long nowMillis = System.currentTimeMillis();

    offer(target("n1", 400, nowMillis, Limit.None));
    awaitAck("n1", 400, AckStatus.Applied);
    offerAndAwait(target("n1", 400, nowMillis + 1, Limit.Max));
    assertThat(store.resizes).containsExactly(400L, 400L);
    offerAndAwait(target("n1", 400, nowMillis + 2, Limit.Max));
    assertThat(store.resizes).containsExactly(400L, 400L);

    offer(target("n1", 300, nowMillis + 3, Limit.None));
    awaitAck("n1", 300, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(400L, 400L, 300L);
  }

  @Test
  void aSmallChangeIsHeldBackUntilItHasAddedUp() throws Exception {
    pusher =
        call(
            () -> pusher(new PushSettings(1_000, 300, new PushGate.Settings(5_000, 60_000, 0.01))));
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));
    long nowMillis = System.currentTimeMillis();

    // A hundredth of the node's memory is 10 bytes.
    long[] capacities = {400, 400, 405, 390, 410, 411};
    List<Ack> told = new ArrayList<>();
    for (int i = 0; i < capacities.length; i++) {
      told.add(offerAndAwait(target("n1", capacities[i], nowMillis + i, Limit.None)));
    }

    assertThat(store.resizes).containsExactly(400L, 400L, 411L);
    assertThat(told)
        .extracting(Ack::desiredBytes)
        .containsExactly(400L, 400L, 400L, 400L, 400L, 411L);
    assertThat(told)
        .extracting(Ack::capacityBytes)
        .containsExactly(400L, 400L, 400L, 400L, 400L, 411L);
    assertThat(told.subList(1, 5))
        .extracting(Ack::appliedMillis)
        .containsOnly(told.get(1).appliedMillis());
  }

  @Test
  void aSmallChangeIsPushedOnceTheTimeToHoldItIsOver() throws Exception {
    // No two pushes of a tier are as close as a millisecond.
    pusher =
        call(() -> pusher(new PushSettings(1_000, 300, new PushGate.Settings(5_000, 1, 0.01))));
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));
    long nowMillis = System.currentTimeMillis();

    long[] capacities = {400, 400, 405};
    for (int i = 0; i < capacities.length; i++) {
      offerAndAwait(target("n1", capacities[i], nowMillis + i, Limit.None));
    }

    assertThat(store.resizes).containsExactly(400L, 400L, 405L);
  }

  @Test
  void aTierWhoseDataGrowsIsPushedAgain() throws Exception {
    pusher =
        call(() -> pusher(new PushSettings(1_000, 300, new PushGate.Settings(5_000, 60_000, 0))));
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));
    long nowMillis = System.currentTimeMillis();

    List<Ack> told = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      store.store.write(100);
      told.add(offerAndAwait(target("n1", 800, nowMillis + i, Limit.Max)));
    }
    assertThat(store.resizes).containsExactly(800L, 800L, 800L, 800L);
    assertThat(told).extracting(Ack::usedBytes).containsExactly(100L, 200L, 300L, 400L);
  }

  @Test
  void whatCameIntoForceOnlyInPartIsPushedAgain() throws Exception {
    pusher =
        call(() -> pusher(new PushSettings(1_000, 300, new PushGate.Settings(5_000, 60_000, 0))));
    RecordingStore store = new RecordingStore();
    store.store.write(800);
    store.store.pin(700);
    follow(document("n1", serve(store), "Enforce", MAX));

    offer(target("n1", 400));
    awaitAck("n1", 400, AckStatus.Partial);
    offer(target("n1", 400));

    await().until(() -> store.resizes.size() == 2);
  }

  @Test
  void aFloodIsPushedAtMostTenTimesInNineIntervals() throws Exception {
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));

    long startNanos = System.nanoTime();
    for (long bytes = 1; bytes <= 500; bytes++) {
      offer(target("n1", bytes));
      Thread.sleep(1);
    }
    awaitAck("n1", 500, AckStatus.Applied);

    long ninetyMillis = (System.nanoTime() - startNanos) / 90_000_000;
    assertThat((long) store.resizes.size()).isBetween(2L, ninetyMillis + 3);
  }

  @Test
  void anAdapterThatNeverAnswersFailsInTimeAndDelaysNoOther() throws Exception {
    RecordingStore store = new RecordingStore();
    try (ServerSocket dead = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      follow(
          document("dead", URI.create("http://127.0.0.1:" + dead.getLocalPort()), "Enforce", MAX),
          document("n1", serve(store), "Enforce", MAX));

      offer(target("dead", 1));
      for (long bytes = 300; bytes < 303; bytes++) {
        offer(target("n1", bytes));
        awaitAck("n1", bytes, AckStatus.Applied);
      }
      await().until(() -> call(() -> fleet.view(fleet.tiers("dead").get(0)).stateReason()) != null);

      await()
          .untilAsserted(
              () ->
                  assertThat(call(() -> fleet.view(fleet.tiers("dead").get(0)).stateReason()))
                      .contains("did not answer within 1000 ms"));
      assertThat(acks).noneMatch(ack -> ack.node().equals("dead"));
    }
  }

  @Test
  void anAdapterThatGoesAwayIsAFailedAckWithTheLastKnownCapacity() throws Exception {
    TierServer server = server(new RecordingStore());
    follow(document("n1", server.uri(), "Enforce", MAX));
    offer(target("n1", 400));
    awaitAck("n1", 400, AckStatus.Applied);

    server.close();
    offer(target("n1", 300));

    Ack ack = awaitAck("n1", 300, AckStatus.Failed);
    assertThat(ack.capacityBytes()).isEqualTo(400);
    assertThat(ack.message()).contains(server.uri().toString());
  }

  @Test
  void aStoreThatIsAwayIsToldInItsOwnWords() throws Exception {
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));
    await().until(() -> !acks.isEmpty());
    store.store.setAway(true);

    offer(target("n1", 300));

    assertThat(awaitAck("n1", 300, AckStatus.Failed).message()).contains("told to be away");
  }

  @Test
  void aTierWithoutTargetsIsAskedAgainAndAgain() throws Exception {
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));

    await().until(() -> acks.size() >= 3);

    assertThat(acks)
        .allSatisfy(
            ack -> {
              assertThat(ack.status()).isEqualTo(AckStatus.Applied);
              assertThat(ack.desiredBytes()).isEqualTo(1_000);
              assertThat(ack.capacityBytes()).isEqualTo(1_000);
              assertThat(ack.sampledMillis()).isZero();
            });
    assertThat(store.resizes).isEmpty();
  }

  @Test
  void recommendAsksButNeverPushes() throws Exception {
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Recommend", MAX));
    await().until(() -> !acks.isEmpty());

    offer(target("n1", 400));
    int before = acks.size();
    await().until(() -> acks.size() > before + 1);

    assertThat(acks).allMatch(ack -> ack.capacityBytes() == 1_000);
    assertThat(store.resizes).isEmpty();
  }

  @Test
  void neitherAStaleDecisionNorAnOldOneIsPushed() throws Exception {
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));

    offer(target("n1", 1, System.currentTimeMillis(), Limit.Stale));
    offer(target("n1", 2, System.currentTimeMillis() - 60_000, Limit.None));
    offer(target("n1", 3));

    awaitAck("n1", 3, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(3L);
  }

  @Test
  void offIsNeitherAskedNorPushed() throws Exception {
    RecordingStore off = new RecordingStore();
    follow(
        document("off", serve(off), "\"Off\"", MAX),
        document("n1", serve(new RecordingStore()), "Enforce", MAX));

    offer(target("off", 1));
    await().until(() -> acks.size() >= 3);

    assertThat(acks).noneMatch(ack -> ack.node().equals("off"));
    assertThat(off.resizes).isEmpty();
  }

  @Test
  void aWithdrawnTierIsLeftAlone() throws Exception {
    RecordingStore store = new RecordingStore();
    follow(document("n1", serve(store), "Enforce", MAX));
    offer(target("n1", 1));
    awaitAck("n1", 1, AckStatus.Applied);

    follow();
    offer(target("n1", 2));
    follow(document("n2", serve(new RecordingStore()), "Enforce", MAX));
    offer(target("n2", 3));

    awaitAck("n2", 3, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(1L);
  }

  /** Gives the first ack of the target's sample; later ones may answer a question in between. */
  private Ack offerAndAwait(Target target) {
    offer(target);
    return await()
        .until(
            () ->
                acks.stream()
                    .filter(ack -> ack.sampledMillis() == target.sampledMillis())
                    .findFirst()
                    .orElse(null),
            ack -> ack != null);
  }

  private Ack awaitAck(String node, long desiredBytes, AckStatus status) {
    return await()
        .until(
            () ->
                acks.stream()
                    .filter(ack -> ack.node().equals(node))
                    .filter(ack -> ack.desiredBytes() == desiredBytes)
                    .filter(ack -> ack.status() == status)
                    .findFirst()
                    .orElse(null),
            ack -> ack != null);
  }

  private void follow(String... documents) {
    call(
        () -> {
          fleet.applyPolicies(policies(documents));
          fleet.tiers().forEach(pusher::serve);
          return null;
        });
  }

  private void offer(Target target) {
    call(
        () -> {
          if (fleet.recordDecision(target)) {
            pusher.offer(target);
          }
          return null;
        });
  }

  private <T> T call(Supplier<T> task) {
    return OnEventLoop.call(loop, task);
  }

  private URI serve(TierStore store) throws Exception {
    TierServer server = server(store);
    parts.add(server);
    return server.uri();
  }

  private static TierServer server(TierStore store) throws Exception {
    return TierServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), store, OptionalLong.empty());
  }

  @Override
  public void pushed(Tier tier, Target target, TierReply reply, long tookNanos) {
    fleet.recordReply(tier, reply, true);
  }

  @Override
  public void asked(Tier tier, TierReply reply) {
    fleet.recordReply(tier, reply, false);
  }

  @Override
  public void released(TierKey key, boolean done) {
    throw new AssertionError("nothing is released here");
  }

  @Override
  public void ack(Ack ack) {
    acks.add(ack);
  }
}
