package io.dynims.controller.push;

import io.dynims.core.tier.TierReply;
import io.dynims.core.tier.TierRequest;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.TierKey;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Gives tiers that nobody claims any more their greatest capacity, and gives up on those that
 * cannot be reached. A tier that has more already is left alone. For use on one event loop.
 */
final class Releaser {

  private static final Logger LOG = LogManager.getLogger(Releaser.class);
  private static final long RETRY_MILLIS = 1_000;
  private static final int TRIES = 15;

  private final Map<TierKey, Attempt> attempts = new HashMap<>();
  private final Vertx vertx;
  private final HttpClient http;
  private final Clock clock;
  private final PushSettings settings;
  private final BiConsumer<TierKey, Boolean> onEnd;

  /**
   * A releaser with nothing to do.
   *
   * @param onEnd told whether the tier has its greatest capacity again
   */
  Releaser(
      Vertx vertx,
      HttpClient http,
      Clock clock,
      PushSettings settings,
      BiConsumer<TierKey, Boolean> onEnd) {
    this.vertx = vertx;
    this.http = http;
    this.clock = clock;
    this.settings = settings;
    this.onEnd = onEnd;
  }

  /** Begins to release a tier. */
  void release(TierKey key, URI address, long capacityBytes) {
    cancel(key);
    Adapter adapter = new Adapter(vertx, http, address, settings.timeoutMillis());
    Attempt attempt = new Attempt(key, adapter, capacityBytes);
    attempts.put(key, attempt);
    attempt.look();
  }

  /** Leaves the tier to whoever claims it now. */
  void cancel(TierKey key) {
    attempts.remove(key);
  }

  private final class Attempt {

    private final TierKey key;
    private final Adapter adapter;
    private final long capacityBytes;
    private int tries;

    Attempt(TierKey key, Adapter adapter, long capacityBytes) {
      this.key = key;
      this.adapter = adapter;
      this.capacityBytes = capacityBytes;
    }

    void look() {
      if (attempts.get(key) == this) {
        tries++;
        adapter.get().onSuccess(this::looked);
      }
    }

    private void looked(TierReply reply) {
      if (attempts.get(key) != this) {
        return;
      }
      if (reply.status() == AckStatus.Failed) {
        later(reply.message());
      } else if (reply.tier().capacityBytes() >= capacityBytes) {
        end(true, "has " + reply.tier().capacityBytes() + " bytes");
      } else {
        // The time of this moment: no sample behind a push can be younger.
        var request = new TierRequest(capacityBytes, clock.millis(), settings.leaseMillis());
        adapter.put(request).onSuccess(this::put);
      }
    }

    private void put(TierReply reply) {
      if (attempts.get(key) != this) {
        return;
      }
      if (reply.status() == AckStatus.Failed) {
        later(reply.message());
      } else {
        end(true, "has " + reply.tier().capacityBytes() + " bytes again");
      }
    }

    private void later(String why) {
      if (tries >= TRIES) {
        end(false, "is left as it is: " + why);
      } else {
        vertx.setTimer(RETRY_MILLIS, timer -> look());
      }
    }

    private void end(boolean done, String how) {
      attempts.remove(key);
      LOG.info("released: {} {}", key, how);
      onEnd.accept(key, done);
    }
  }
}
