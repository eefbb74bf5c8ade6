package io.dynims.controller.push;

import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Gives tiers that nobody claims any more the greatest capacity that their stores can have, and
 * gives up on those that cannot be reached. For use on one event loop.
 */
final class Releaser {

  static final long RETRY_MILLIS = 1_000;

  private static final Logger LOG = LogManager.getLogger(Releaser.class);
  private static final int TRIES = 15;

  private final Map<TierKey, Attempt> attempts = new HashMap<>();
  private final Vertx vertx;
  private final NetClient net;
  private final Clock clock;
  private final PushSettings settings;
  private final long retryMillis;
  private final BiConsumer<TierKey, Boolean> onEnd;

  /**
   * A releaser with nothing to do.
   *
   * @param onEnd told whether the tier has its greatest capacity again
   */
  Releaser(
      Vertx vertx,
      NetClient net,
      Clock clock,
      PushSettings settings,
      long retryMillis,
      BiConsumer<TierKey, Boolean> onEnd) {
    this.vertx = vertx;
    this.net = net;
    this.clock = clock;
    this.settings = settings;
    this.retryMillis = retryMillis;
    this.onEnd = onEnd;
  }

  /** Begins to release a tier. */
  void release(TierKey key, URI address) {
    cancel(key);
    Adapter adapter = new Adapter(vertx, net, address, settings.timeoutMillis());
    Attempt attempt = new Attempt(key, adapter);
    attempts.put(key, attempt);
    attempt.look();
  }

  /** Leaves the tier to whoever claims it now. */
  void cancel(TierKey key) {
    Attempt attempt = attempts.remove(key);
    if (attempt != null) {
      attempt.adapter.close();
    }
  }

  /** Leaves whatever is at the address to another tier that is pushed to now. */
  void cancel(URI address) {
    List<TierKey> keys =
        attempts.values().stream()
            .filter(attempt -> attempt.adapter.uri().equals(address))
            .map(attempt -> attempt.key)
            .toList();
    keys.forEach(this::cancel);
  }

  private final class Attempt {

    private final TierKey key;
    private final Adapter adapter;
    private int tries;

    Attempt(TierKey key, Adapter adapter) {
      this.key = key;
      this.adapter = adapter;
    }

    void look() {
      if (attempts.get(key) == this) {
        tries++;
        adapter.get(this::looked);
      }
    }

    private void looked(TierReply reply) {
      if (attempts.get(key) != this) {
        return;
      }
      if (reply.status() == AckStatus.Failed) {
        later(reply.message());
      } else if (reply.tier().capacityBytes() >= reply.tier().maxBytes()) {
        end(true, "has " + reply.tier().capacityBytes() + " bytes");
      } else {
        // The time of this moment: no sample behind a push can be younger.
        var request =
            new TierRequest(reply.tier().maxBytes(), clock.millis(), settings.gate().leaseMillis());
        adapter.put(request, this::put);
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
        vertx.setTimer(retryMillis, timer -> look());
      }
    }

    private void end(boolean done, String how) {
      attempts.remove(key);
      adapter.close();
      LOG.info("released: {} {}", key, how);
      onEnd.accept(key, done);
    }
  }
}
