package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.policies;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.OnEventLoop;
import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.HistoryBound;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.gate.PushGate;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierServer;
import io.dynims.tier.TierStore;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A pusher with its fleet, tiers that serve the Tier API on loopback, and the acks that come. */
final class PushFixture implements PushListener, AutoCloseable {

  /** Polls idle tiers soon, and pushes every change. */
  static final PushSettings SETTINGS =
      new PushSettings(1_000, 300, new PushGate.Settings(5_000, 0, 0));

  /** Longer than any test: a poll of an idle tier may push a policy for the guard. */
  private static final long NEVER_IDLE_MILLIS = 600_000;

  final List<Ack> acks = new CopyOnWriteArrayList<>();

  /** The nodes whose polls have ended, with an answer or without. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Fleet fleet = new Fleet(new HistoryBound(100, 1_000), Clock.systemUTC());
  private final List<TierServer> servers = new ArrayList<>();
  private final Pusher pusher;

  PushFixture(PushSettings settings) {
    pusher = call(() -> new Pusher(vertx, Clock.systemUTC(), System::nanoTime, settings, this));
  }

  static PushSettings settings(TokenFile tokens) {
    return new PushSettings(
        1_000,
        300,
        new PushGate.Settings(5_000, 0, 0),
        Optional.of(tokens),
        AdapterTls.of(Optional.empty(), Optional.empty()));
  }

  /** Takes no tier for idle, so that a test knows all pushes. */
  static PushSettings settings(long heldMillis, double tolerance) {
    return new PushSettings(
        1_000, NEVER_IDLE_MILLIS, new PushGate.Settings(5_000, heldMillis, tolerance));
  }

  /** Serves a store and returns its address. */
  URI serve(TierStore store) throws Exception {
    return server(store).uri();
  }

  TierServer server(TierStore store) throws Exception {
    return server(store, TierAccess.anyone());
  }

  TierServer server(TierStore store, TierAccess access) throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    TierServer server = TierServer.start(any, store, GuardSettings.none(), access);
    servers.add(server);
    return server;
  }

  /** Applies these policy documents and no others. */
  void apply(String... documents) {
    call(
        () -> {
          fleet.applyPolicies(policies(documents));
          fleet.tiers().forEach(pusher::serve);
          return null;
        });
  }

  void offer(Target target) {
    call(
        () -> {
          offerNow(target);
          return null;
        });
  }

  /** Offers these targets on the event loop, one per millisecond. */
  void offerEachMilli(Iterator<Target> targets) {
    vertx.setPeriodic(
        1,
        timer ->
            loop.runOnContext(
                ignored -> {
                  if (targets.hasNext()) {
                    offerNow(targets.next());
                  } else {
                    vertx.cancelTimer(timer);
                  }
                }));
  }

  private void offerNow(Target target) {
    if (fleet.recordDecision(target)) {
      pusher.offer(target);
    }
  }

  /** Offers a target and returns the first ack for its sample; later ones may belong to a poll. */
  Ack offerAndAwait(Target target) {
    offer(target);
    return awaitAck(ack -> ack.sampledMillis() == target.sampledMillis());
  }

  Ack awaitAck(String node, long desiredBytes, AckStatus status) {
    return awaitAck(
        ack ->
            ack.node().equals(node)
                && ack.desiredBytes() == desiredBytes
                && ack.status() == status);
  }

  private Ack awaitAck(Predicate<Ack> wanted) {
    return await()
        .until(() -> acks.stream().filter(wanted).findFirst().orElse(null), ack -> ack != null);
  }

  /** Why a node's tier is in its state; null if the state has no reason. */
  String stateReason(String node) {
    return call(() -> fleet.view(fleet.tiers(node).get(0)).stateReason());
  }

  private <T> T call(Supplier<T> task) {
    return OnEventLoop.call(loop, task);
  }

  @Override
  public void pushed(Tier tier, Target target, TierReply reply, long tookNanos) {
    fleet.recordReply(tier, reply, true);
  }

  @Override
  public void asked(Tier tier, TierReply reply) {
    asked.add(tier.key().node());
    fleet.recordReply(tier, reply, false);
  }

  @Override
  public void released(TierKey key, boolean succeeded) {
    throw new AssertionError("no test here releases a tier");
  }

  @Override
  public void ack(Ack ack) {
    acks.add(ack);
  }

  @Override
  public void close() throws Exception {
    servers.forEach(TierServer::close);
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }
}
