package io.dynims.controller.push;

import io.dynims.controller.fleet.Tier;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The push loops of the fleet. Each adapter has its own connection and its own queue, so that a
 * dead one delays no other. For use on one event loop.
 */
public final class Pusher {

  private static final long LOOK_MILLIS = 50;

  private final Map<TierKey, TierLoop> loops = new HashMap<>();
  private final Vertx vertx;
  private final NetClient net;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final PushSettings settings;
  private final PushListener listener;
  private final Releaser releaser;
  private boolean pushing = true;

  /** A pusher that knows no tier yet. */
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
        new Releaser(vertx, net, clock, settings, Releaser.RETRY_MILLIS, listener::released);
    vertx.setPeriodic(LOOK_MILLIS, timer -> pollIdle());
  }

  /** Serves the tier from now on, at the address that its document names. */
  public void follow(Tier tier) {
    URI address = tier.document().adapter();
    releaser.cancel(tier.key());
    if (tier.document().mode() == Mode.Enforce) {
      releaser.cancel(address);
    }
    TierLoop loop = loops.get(tier.key());
    if (loop != null && loop.adapter().uri().equals(address)) {
      return;
    }
    forget(tier.key());
    if (address != null) {
      Adapter adapter = new Adapter(vertx, net, address, settings.timeoutMillis());
      loop = new TierLoop(vertx, clock, nanoTime, settings, listener, tier, adapter);
      loop.pushing(pushing);
      loops.put(tier.key(), loop);
    }
  }

  /** Whether to push from now on, or only to ask what is in force, while another one pushes. */
  public void pushing(boolean push) {
    pushing = push;
    loops.values().forEach(loop -> loop.pushing(push));
  }

  /**
   * Gives a tier that nobody claims any more the greatest capacity that its store can have, unless
   * another tier is pushed to the same adapter.
   */
  public void release(TierKey key, URI address) {
    if (loops.values().stream().noneMatch(loop -> loop.owns(key, address))) {
      releaser.release(key, address);
    }
  }

  /** Stops to serve a tier. */
  public void forget(TierKey key) {
    TierLoop loop = loops.remove(key);
    if (loop != null) {
      loop.close();
    }
  }

  /** Takes a target of a tier that is served. */
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
}
