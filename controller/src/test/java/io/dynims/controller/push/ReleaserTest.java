package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.OnEventLoop;
import io.dynims.controller.StubAdapter;
import io.dynims.core.gate.PushGate;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.local.FreePorts;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierServer;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReleaserTest {

  private static final TierKey KEY = new TierKey("n1", "memory");
  private static final long SOON_MILLIS = 20;
  private static final PushSettings SETTINGS =
      new PushSettings(1_000, 300, new PushGate.Settings(5_000, 0, 0));

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final InMemoryTierStore store = new InMemoryTierStore("memory", 0, 1_000);
  private TierServer server;
  private Releaser releaser;
  private long retryMillis = Releaser.RETRY_MILLIS;

  @AfterEach
  void close() throws Exception {
    if (server != null) {
      server.close();
    }
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void aTierGetsItsStoresFullCapacity() throws Exception {
    serve(0);
    store.resize(200);

    release(server.uri());

    await().until(() -> ends.equals(List.of("n1/memory true")));
    assertThat(store.status().capacityBytes()).isEqualTo(1_000);
  }

  @Test
  void aTierWithFullCapacityIsNotPushedTo() throws Exception {
    serve(0);

    release(server.uri());

    await().until(() -> ends.equals(List.of("n1/memory true")));
    assertThat(new TierClient(server.uri()).get().tier().leaseHeld()).isNull();
  }

  @Test
  void theGuardOfAReleasedTierHasNothingMoreToDo() {
    try (StubAdapter adapter = new StubAdapter("n1")) {
      adapter.follow(policy("n1"));

      release(adapter.uri());

      await().until(() -> ends.equals(List.of("n1/memory true")));
      assertThat(adapter.mode()).isEqualTo(Mode.Off);
      assertThat(adapter.capacityBytes()).isEqualTo(1_000);
    }
  }

  @Test
  void aKeptTierKeepsItsCapacityAndItsGuardHasNothingMoreToDo() {
    try (StubAdapter adapter = new StubAdapter("n1")) {
      adapter.follow(policy("n1"));
      adapter.setCapacityBytes(300);
      String kept = document("n1", adapter.uri(), "Enforce", "1000") + "  onDelete: Keep\n";

      call(() -> releaser().release(policies(kept).tiers().get(0).policy(), adapter.uri()));

      await().until(() -> adapter.mode() == Mode.Off);
      assertThat(adapter.capacityBytes()).isEqualTo(300);
      assertThat(ends).as("it is not released").isEmpty();
    }
  }

  @Test
  void theAdapterOfAnotherNodeIsNotReleased() {
    retryMillis = SOON_MILLIS;
    try (StubAdapter adapter = new StubAdapter("n2")) {
      adapter.setCapacityBytes(300);

      release(adapter.uri());

      await().until(() -> ends.equals(List.of("n1/memory false")));
      assertThat(adapter.requests).isEmpty();
    }
  }

  @Test
  void anAdapterThatStartsLaterIsReleasedThen() throws Exception {
    store.resize(200);
    int port = FreePorts.next();
    release(URI.create("http://127.0.0.1:" + port));

    serve(port);

    await().until(() -> ends.equals(List.of("n1/memory true")));
    assertThat(store.status().capacityBytes()).isEqualTo(1_000);
  }

  @Test
  void anUnreachableAdapterIsGivenUp() throws Exception {
    retryMillis = SOON_MILLIS;
    release(URI.create("http://127.0.0.1:" + FreePorts.next()));

    await().until(() -> ends.equals(List.of("n1/memory false")));
  }

  @Test
  void anUnavailableStoreIsAwaited() throws Exception {
    serve(0);
    store.resize(200);
    store.setAway(true);
    release(server.uri());

    store.setAway(false);

    await().until(() -> ends.equals(List.of("n1/memory true")));
    assertThat(store.status().capacityBytes()).isEqualTo(1_000);
  }

  @Test
  void aPushWithASampleFromTheFutureDoesNotPreventTheRelease() throws Exception {
    serve(0);
    long aheadMillis = System.currentTimeMillis() + 4_000;
    var push = new TierRequest(200, aheadMillis, 100);
    assertThat(new TierClient(server.uri()).put(push).status()).isEqualTo(AckStatus.Applied);

    release(server.uri());

    await().until(() -> ends.equals(List.of("n1/memory true")));
    assertThat(store.status().capacityBytes()).isEqualTo(1_000);
  }

  @Test
  void aTierThatIsClaimedAgainIsNotReleased() throws Exception {
    assertLeftAlone(() -> releaser.cancel(KEY));
  }

  @Test
  void anAdapterOfAnotherTierIsNotReleased() throws Exception {
    assertLeftAlone(() -> releaser.cancel(server.uri()));
  }

  /** Releases another tier afterwards, so that the cancelled release would have ended before. */
  private void assertLeftAlone(Runnable cancel) throws Exception {
    serve(0);
    store.resize(200);
    var other = new InMemoryTierStore("memory", 0, 1_000);
    try (TierServer another = server(other, 0)) {
      other.resize(200);
      store.setAway(true);
      call(
          () -> {
            releaser().release(policy("n1"), server.uri());
            cancel.run();
            releaser.release(policy("n2"), another.uri());
          });
      store.setAway(false);

      await().until(() -> ends.equals(List.of("n2/memory true")));
      assertThat(store.status().capacityBytes()).isEqualTo(200);
    }
  }

  private static Policy policy(String node) {
    return policies(document(node, URI.create("http://127.0.0.1:7070"), "Enforce", "1000"))
        .tiers()
        .get(0)
        .policy();
  }

  private void release(URI address) {
    call(() -> releaser().release(policy("n1"), address));
  }

  private Releaser releaser() {
    if (releaser == null) {
      var net = vertx.createNetClient();
      releaser =
          new Releaser(
              (millis, action) -> vertx.setTimer(millis, timer -> action.run()),
              (key, uri) -> new Adapter(vertx, net, key, uri, SETTINGS),
              SETTINGS.gate(),
              retryMillis,
              (key, done) -> ends.add(key + " " + done));
    }
    return releaser;
  }

  private void call(Runnable task) {
    OnEventLoop.call(
        loop,
        () -> {
          task.run();
          return null;
        });
  }

  private void serve(int port) throws Exception {
    server = server(store, port);
  }

  private static TierServer server(InMemoryTierStore store, int port) throws Exception {
    return TierServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        store,
        GuardSettings.none(),
        TierAccess.anyone());
  }
}
