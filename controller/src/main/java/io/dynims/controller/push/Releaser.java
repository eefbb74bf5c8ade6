package io.dynims.controller.push;

import io.dynims.core.gate.PushGate;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Leaves unclaimed tiers as their last policies say: with the full capacity of their stores, or as
 * they are. In either case the guards on their nodes have nothing more to do. It gives up on tiers
 * that cannot be reached. For use on one event loop.
 */
public final class Releaser {

  /** The time between two tries. */
  public static final long RETRY_MILLIS = 1_000;

  private static final Logger LOG = LogManager.getLogger(Releaser.class);
  private static final int MAX_TRIES = 15;

  private final Map<TierKey, Attempt> attempts = new HashMap<>();
  private final TierLoop.Timer timer;
  private final BiFunction<TierKey, URI, TierEndpoint> endpoints;
  private final PushGate.Settings gate;
  private final long retryMillis;
  private final BiConsumer<TierKey, Boolean> onEnd;

  /**
   * A releaser with nothing to do.
   *
   * @param endpoints connects to a tier's adapter at an address
   * @param retryMillis the time between two tries
   * @param onEnd called with whether the tier has its full capacity again
   */
  public Releaser(
      TierLoop.Timer timer,
      BiFunction<TierKey, URI, TierEndpoint> endpoints,
      PushGate.Settings gate,
      long retryMillis,
      BiConsumer<TierKey, Boolean> onEnd) {
    this.timer = timer;
    this.endpoints = endpoints;
    this.gate = gate;
    this.retryMillis = retryMillis;
    this.onEnd = onEnd;
  }

  /**
   * A request that gives the guard a policy; no sample is behind it.
   *
   * @param capacityBytes the capacity to leave the tier with
   */
  static TierRequest policyRequest(
      TierStatus inForce,
      long capacityBytes,
      Policy policy,
      PushGate.Settings gate,
      Tenure tenure) {
    // Newer than what was applied, by the node's own clock: this program's may be wrong.
    long appliedMillis = inForce.sampledMillis() == null ? 0 : inForce.sampledMillis();
    return new TierRequest(
        capacityBytes,
        appliedMillis + 1,
        gate.leaseMillis(),
        inForce.capacityBytes(),
        policy,
        tenure.controller(),
        tenure.term());
  }

  /** Starts to release a tier. */
  public void release(Policy policy, URI address) {
    TierKey key = policy.key();
    cancel(key);
    Attempt attempt = new Attempt(key, policy, endpoints.apply(key, address));
    attempts.put(key, attempt);
    attempt.poll();
  }

  /** Stops releasing a tier, because it is claimed again. */
  public void cancel(TierKey key) {
    Attempt attempt = attempts.remove(key);
    if (attempt != null) {
      attempt.adapter.close();
    }
  }

  /** Stops releasing tiers at an address, because another tier is pushed there now. */
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
    private final Policy policy;
    private final boolean full;
    private final TierEndpoint adapter;
    private int tries;

    Attempt(TierKey key, Policy policy, TierEndpoint adapter) {
      this.key = key;
      this.policy = policy.withMode(Mode.Off);
      this.full = policy.onDelete() == OnDelete.Release;
      this.adapter = adapter;
    }

    void poll() {
      if (attempts.get(key) == this) {
        tries++;
        adapter.get(this::polled);
      }
    }

    private void polled(TierReply reply) {
      if (attempts.get(key) != this) {
        return;
      }
      if (reply.status() == AckStatus.Failed) {
        retryLater(reply.message());
      } else if (reply.tier().guard() == null && hasCapacity(reply.tier())) {
        end(true, "already has " + reply.tier().capacityBytes() + " bytes");
      } else {
        long bytes = full ? reply.tier().maxBytes() : reply.tier().capacityBytes();
        adapter.put(policyRequest(reply.tier(), bytes, policy, gate, Tenure.SOLE), this::applied);
      }
    }

    private boolean hasCapacity(TierStatus tier) {
      return !full || tier.capacityBytes() >= tier.maxBytes();
    }

    private void applied(TierReply reply) {
      if (attempts.get(key) != this) {
        return;
      }
      if (reply.status() == AckStatus.Failed) {
        retryLater(reply.message());
      } else {
        end(true, "now has " + reply.tier().capacityBytes() + " bytes");
      }
    }

    private void retryLater(String reason) {
      if (tries >= MAX_TRIES) {
        end(false, "gave up: " + reason);
      } else {
        timer.after(retryMillis, this::poll);
      }
    }

    private void end(boolean succeeded, String result) {
      attempts.remove(key);
      adapter.close();
      LOG.info("{} of {}: {}", full ? "release" : "withdrawal", key, result);
      if (full) {
        onEnd.accept(key, succeeded);
      }
    }
  }
}
