package io.dynims.controller.push;

import io.dynims.controller.fleet.Tier;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The push loops of the fleet. Each adapter has its own connection and queue, so an unresponsive
 * one does not delay the others. For use on one event loop.
 */
public final class Pusher {

  private static final long IDLE_CHECK_MILLIS = 50;

  private final Map<TierKey, TierLoop> loops = new HashMap<>();
  private final Vertx vertx;
  private final NetClient net;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final PushSettings settings;
  private final PushListener listener;
  private final Releaser releaser;
  private Function<TierKey, Tenure> tenures = key -> Tenure.SOLE;

  /** A pusher without tiers. */
  public Pusher(
      Vertx vertx,
      Clock clock,
      LongSupplier nanoTime,
      PushSettings settings,
      PushListener listener) {
    this.vertx = vertx;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.settings = settings;
    this.listener = listener;
    this.net =
        vertx.createNetClient(
            new NetClientOptions()
                .setConnectTimeout((int) settings.timeoutMillis())
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true));
    this.releaser =
        new Releaser(
            this::after, this::connect, settings.gate(), Releaser.RETRY_MILLIS, listener::released);
    vertx.setPeriodic(IDLE_CHECK_MILLIS, timer -> pollIdle());
  }

  /** Starts to push to a tier, at the address that its document names. */
  public void serve(Tier tier) {
    URI address = tier.document().adapter();
    releaser.cancel(tier.key());
    if (tier.document().mode() == Mode.Enforce) {
      releaser.cancel(address);
    }
    TierLoop loop = loops.get(tier.key());
    if (loop != null && loop.adapter().uri().equals(address)) {
      return;
    }
    remove(tier.key());
    if (address != null) {
      loop =
          new TierLoop(
              this::after,
              clock,
              nanoTime,
              settings,
              new Replies(tier, listener),
              tier.key(),
              tier::policy,
              connect(tier.key(), address));
      loop.assign(tenures.apply(tier.key()));
      loops.put(tier.key(), loop);
    }
  }

  private void after(long millis, Runnable action) {
    vertx.setTimer(millis, timer -> action.run());
  }

  private TierEndpoint connect(TierKey key, URI address) {
    return new Adapter(vertx, net, key, address, settings);
  }

  /** Which tiers to push to, and which only to poll; to be called whenever that changes. */
  public void assign(Function<TierKey, Tenure> newTenures) {
    tenures = newTenures;
    loops.forEach((key, loop) -> loop.assign(newTenures.apply(key)));
  }

  /**
   * Leaves an unclaimed tier as its last policy says, with the store's full capacity or as it is,
   * and ends the guard's work; unless another tier is pushed to the same adapter.
   */
  public void release(Policy policy, URI address) {
    if (loops.values().stream().noneMatch(loop -> loop.owns(policy.key(), address))) {
      releaser.release(policy, address);
    }
  }

  /** Stops pushing to a tier. */
  public void remove(TierKey key) {
    TierLoop loop = loops.remove(key);
    if (loop != null) {
      loop.close();
    }
  }

  /** Offers a target to its tier's push loop; ignored if there is none. */
  public void offer(Target target) {
    TierLoop loop = loops.get(target.key());
    if (loop != null) {
      loop.offer(target);
    }
  }

  private void pollIdle() {
    long nowNanos = nanoTime.getAsLong();
    loops.values().forEach(loop -> loop.pollIfIdle(nowNanos));
  }

  /** Adds which tier it is about. */
  private record Replies(Tier tier, PushListener listener) implements TierListener {

    @Override
    public void pushed(Target target, TierReply reply, long tookNanos) {
      listener.pushed(tier, target, reply, tookNanos);
    }

    @Override
    public void asked(TierReply reply) {
      listener.asked(tier, reply);
    }

    @Override
    public void ack(Ack ack) {
      listener.ack(ack);
    }
  }
}
