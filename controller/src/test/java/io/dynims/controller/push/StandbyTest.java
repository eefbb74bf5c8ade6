package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.OnEventLoop;
import io.dynims.controller.StubAdapter;
import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.HistoryBound;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.gate.PushGate;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierState;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierServer;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pusher as a standby, and a pusher that releases tiers. */
class StandbyTest implements PushListener {

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Fleet fleet = new Fleet(new HistoryBound(100, 1_000), Clock.systemUTC());
  private final InMemoryTierStore store = new InMemoryTierStore("memory", 0, 1_000);
  private final AtomicInteger asked = new AtomicInteger();
  private final List<Long> pushed = new CopyOnWriteArrayList<>();
  private final List<TierKey> released = new CopyOnWriteArrayList<>();
  @AutoClose private TierServer server;
  private Pusher pusher;

  @BeforeEach
  void start() throws Exception {
    server =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            store,
            GuardSettings.none(),
            TierAccess.anyone());
    run(
        () ->
            pusher =
                new Pusher(
                    vertx,
                    Clock.systemUTC(),
                    System::nanoTime,
                    new PushSettings(1_000, 50, new PushGate.Settings(5_000, 0, 0)),
                    this));
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void aStandbyPollsAndPushesNothing() {
    run(() -> pusher.assign(key -> Tenure.STANDBY));
    apply(document("n1", server.uri(), "Enforce", "1000"));

    offer(target("n1", 400));
    int before = asked.get();
    await().until(() -> asked.get() > before + 1);

    assertThat(pushed).isEmpty();
  }

  @Test
  void aStandbyThatTakesOverPushesTheNextTarget() {
    run(() -> pusher.assign(key -> Tenure.STANDBY));
    apply(document("n1", server.uri(), "Enforce", "1000"));
    offer(target("n1", 400));

    run(() -> pusher.assign(key -> Tenure.SOLE));
    offer(target("n1", 300));

    await().until(() -> pushed.equals(List.of(300L)));
  }

  @Test
  void pushesNameTheControllerAndItsTermWhereSeveralShareTheFleet() {
    try (StubAdapter adapter = new StubAdapter("n1")) {
      run(() -> pusher.assign(key -> Tenure.of("c1", 7)));
      apply(document("n1", adapter.uri(), "Enforce", "1000"));
      offerUntilPushed(400, adapter);
      assertThat(adapter.requests)
          .allSatisfy(
              request -> {
                assertThat(request.controller()).isEqualTo("c1");
                assertThat(request.term()).isEqualTo(7);
              });

      run(() -> pusher.assign(key -> Tenure.OTHERS));
      run(() -> pusher.assign(key -> Tenure.of("c1", 9)));
      offerUntilPushed(300, adapter);

      assertThat(adapter.requests)
          .filteredOn(request -> request.term() == 9)
          .first()
          .satisfies(request -> assertThat(request.policy()).as("sent again").isNotNull());
    }
  }

  @Test
  void aTierOfAnotherControllerIsNotPushed() {
    run(() -> pusher.assign(key -> Tenure.OTHERS));
    apply(document("n1", server.uri(), "Enforce", "1000"));
    offer(target("n1", 400));
    await().until(() -> asked.get() > 0);
    run(() -> pusher.assign(key -> Tenure.SOLE));
    offer(target("n1", 300));
    await().until(() -> !pushed.isEmpty());

    assertThat(pushed).containsExactly(300L);
  }

  private void offerUntilPushed(long bytes, StubAdapter adapter) {
    await()
        .until(
            () -> {
              offer(target("n1", bytes));
              return adapter.capacityBytes() == bytes;
            });
  }

  @Test
  void aReplacedLeaderDropsTheWaitingTarget() {
    apply(document("n1", server.uri(), "Enforce", "1000"));
    await().until(() -> asked.get() > 0);
    run(
        () -> {
          offerNow(target("n1", 400));
          offerNow(target("n1", 300));
          pusher.assign(key -> Tenure.STANDBY);
        });
    int before = asked.get();
    await().until(() -> asked.get() > before + 1);

    assertThat(pushed).doesNotContain(300L);
  }

  @Test
  void aTierThatIsAddedToAStandbyIsNotPushedEither() {
    run(() -> pusher.assign(key -> Tenure.STANDBY));
    apply(document("n1", server.uri(), "Recommend", "1000"));
    apply(document("n1", server.uri(), "Enforce", "1000"));

    offer(target("n1", 400));
    int before = asked.get();
    await().until(() -> asked.get() > before + 1);

    assertThat(pushed).isEmpty();
  }

  @Test
  void aTierWhoseAdapterMovesIsPushedAtItsNewAddress() {
    apply(document("n1", URI.create("http://127.0.0.1:1"), "Enforce", "1000"));
    apply(document("n1", server.uri(), "Enforce", "1000"));
    await().until(() -> state("n1") == TierState.Pending && asked.get() > 0);

    offer(target("n1", 400));

    await().until(() -> pushed.equals(List.of(400L)));
  }

  @Test
  void anUnclaimedTierIsReleased() throws Exception {
    store.resize(200);

    run(() -> pusher.release(policy("memory"), server.uri()));

    await().until(() -> released.equals(List.of(new TierKey("n1", "memory"))));
    assertThat(store.status().capacityBytes()).isEqualTo(1_000);
  }

  @Test
  void anAdapterOfAnotherEnforcedTierIsNotReleased() throws Exception {
    store.resize(200);
    apply(document("n1", server.uri(), "Enforce", "1000"));

    run(
        () -> {
          pusher.release(policy("earlier"), server.uri());
          pusher.release(policy("memory"), server.uri());
        });
    offer(target("n1", 150));

    await().until(() -> pushed.equals(List.of(150L)));
    assertThat(store.status().capacityBytes()).isEqualTo(150);
    assertThat(released).isEmpty();
  }

  @Test
  void anAdapterOfARecommendedTierIsReleased() throws Exception {
    store.resize(200);
    apply(document("n1", server.uri(), "Recommend", "1000"));

    run(() -> pusher.release(policy("earlier"), server.uri()));

    await().until(() -> released.equals(List.of(new TierKey("n1", "earlier"))));
    assertThat(store.status().capacityBytes()).isEqualTo(1_000);
  }

  private static Policy policy(String tier) {
    String document = document("n1", URI.create("http://127.0.0.1:7070"), "Enforce", "1000");
    return policies(document.replace("name: memory", "name: " + tier)).tiers().get(0).policy();
  }

  private void apply(String... documents) {
    run(
        () -> {
          fleet.applyPolicies(policies(documents));
          fleet.tiers().forEach(pusher::serve);
        });
  }

  private void offer(Target target) {
    run(() -> offerNow(target));
  }

  private void offerNow(Target target) {
    assertThat(fleet.recordDecision(target)).isTrue();
    pusher.offer(target);
  }

  private TierState state(String node) {
    return OnEventLoop.call(loop, () -> fleet.view(fleet.tiers(node).get(0)).state());
  }

  private void run(Runnable task) {
    OnEventLoop.call(
        loop,
        () -> {
          task.run();
          return null;
        });
  }

  @Override
  public void pushed(Tier tier, Target target, TierReply reply, long tookNanos) {
    fleet.recordReply(tier, reply, true);
    pushed.add(target.desiredBytes());
  }

  @Override
  public void asked(Tier tier, TierReply reply) {
    fleet.recordReply(tier, reply, false);
    asked.incrementAndGet();
  }

  @Override
  public void released(TierKey key, boolean done) {
    assertThat(done).isTrue();
    released.add(key);
  }

  @Override
  public void ack(Ack ack) {
    assertThat(ack.node()).isEqualTo("n1");
  }
}
