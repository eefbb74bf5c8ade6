package io.dynims.controller.push;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.controller.fleet.Tier;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Pushes one tier's targets: a mailbox of one in which the latest target wins, and one request in
 * flight. For use on one event loop.
 */
final class TierLoop {

  private static final long LEASE_INTERVALS = 3;

  private final Vertx vertx;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final PushSettings settings;
  private final PushListener listener;
  private final Tier tier;
  private final Adapter adapter;

  private Pace pace;
  private long paceMillis;
  private Target mailbox;
  private boolean busy;
  private boolean waiting;
  private boolean closed;
  private boolean pushing = true;
  private boolean contacted;

  /** The answer to the last push, if what it asked for was in force then; else null. */
  private TierReply applied;

  /** When it came, epoch milliseconds. */
  private long appliedMillis;

  /** Whether that answer told the same as the one before it, but for the tolerance. */
  private boolean steady;

  private long pushedNanos;
  private long lastTargetNanos;
  private long lastContactNanos;

  TierLoop(
      Vertx vertx,
      Clock clock,
      LongSupplier nanoTime,
      PushSettings settings,
      PushListener listener,
      Tier tier,
      Adapter adapter) {
    this.vertx = vertx;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.settings = settings;
    this.listener = listener;
    this.tier = tier;
    this.adapter = adapter;
    this.lastTargetNanos = nanoTime.getAsLong();
  }

  Adapter adapter() {
    return adapter;
  }

  /** Whether it serves this tier, or pushes another one to this adapter. */
  boolean owns(TierKey key, URI address) {
    return tier.key().equals(key)
        || (tier.document().mode() == Mode.Enforce && adapter.uri().equals(address));
  }

  /** Whether to push, or only to ask. */
  void pushing(boolean push) {
    pushing = push;
    mailbox = null;
  }

  /** Takes a target; one that still waits is forgotten. */
  void offer(Target target) {
    if (!pushing) {
      return;
    }
    lastTargetNanos = nanoTime.getAsLong();
    if (target.limitedBy() == Limit.Stale) {
      mailbox = null;
      return;
    }
    mailbox = target;
    attempt();
  }

  /** Asks the tier what is in force if nothing else told it lately. */
  void askIfIdle(long nowNanos) {
    long idleNanos = MILLISECONDS.toNanos(settings.idleMillis());
    boolean idle = nowNanos - lastTargetNanos >= idleNanos || !contacted;
    boolean due = !contacted || nowNanos - lastContactNanos >= idleNanos;
    if (!busy && !closed && idle && due && wantsAnswers()) {
      ask();
    }
  }

  /** Ends; what is in flight is not told of any more. */
  void close() {
    closed = true;
    mailbox = null;
    adapter.close();
  }

  private boolean wantsAnswers() {
    return tier.policy() == null || tier.policy().mode() != Mode.Off;
  }

  private void attempt() {
    if (busy || waiting || closed || mailbox == null) {
      return;
    }
    Policy policy = tier.policy();
    if (policy == null || policy.mode() == Mode.Off) {
      mailbox = null;
      return;
    }
    long nowNanos = nanoTime.getAsLong();
    long waitNanos = pace(policy).waitNanos(nowNanos);
    if (waitNanos > 0) {
      await(waitNanos);
      return;
    }
    Target target = mailbox;
    mailbox = null;
    if (clock.millis() - target.sampledMillis() > policy.staleAfterMillis()) {
      return;
    }
    pace.taken(nowNanos);
    if (policy.mode() == Mode.Recommend) {
      ask();
    } else if (isHeld(target, nowNanos)) {
      long inForceBytes = applied.tier().capacityBytes();
      acknowledge(inForceBytes, target.sampledMillis(), applied, appliedMillis);
    } else {
      push(target, leaseMillis(policy), nowNanos);
    }
  }

  private boolean isSteady(TierStatus before, TierStatus after, Target target) {
    return isWithinTolerance(before.capacityBytes(), after.capacityBytes(), target)
        && isWithinTolerance(before.usedBytes(), after.usedBytes(), target);
  }

  private boolean isWithinTolerance(long oneBytes, long otherBytes, Target target) {
    return Math.abs(oneBytes - otherBytes) <= settings.tolerance() * target.memoryTotalBytes();
  }

  /**
   * Whether the target is as good as in force, and nothing moves, by what the tier told a short
   * while ago. What is held back is not forgotten: the law is given the capacity in force, so that
   * a change in small steps adds up until it is beyond the tolerance.
   */
  private boolean isHeld(Target target, long nowNanos) {
    return steady
        && isWithinTolerance(applied.tier().capacityBytes(), target.desiredBytes(), target)
        && nowNanos - pushedNanos < MILLISECONDS.toNanos(settings.heldMillis());
  }

  private Pace pace(Policy policy) {
    if (pace == null || paceMillis != policy.intervalMillis()) {
      paceMillis = policy.intervalMillis();
      pace = new Pace(MILLISECONDS.toNanos(paceMillis));
    }
    return pace;
  }

  private void await(long waitNanos) {
    waiting = true;
    vertx.setTimer(
        NANOSECONDS.toMillis(waitNanos) + 1,
        timer -> {
          waiting = false;
          attempt();
        });
  }

  /** A lease must outlive the pause between two pushes, however long the policy makes it. */
  private long leaseMillis(Policy policy) {
    long pausesMillis = LEASE_INTERVALS * policy.intervalMillis();
    return Math.min(TierRequest.MAX_LEASE_MILLIS, Math.max(settings.leaseMillis(), pausesMillis));
  }

  private void push(Target target, long leaseMillis, long startNanos) {
    busy = true;
    var request = new TierRequest(target.desiredBytes(), target.sampledMillis(), leaseMillis);
    adapter.put(
        request,
        reply -> {
          ended();
          TierReply before = applied;
          applied = reply.status() == AckStatus.Applied ? reply : null;
          steady =
              applied != null && before != null && isSteady(before.tier(), reply.tier(), target);
          pushedNanos = startNanos;
          appliedMillis = clock.millis();
          listener.pushed(tier, target, reply, nanoTime.getAsLong() - startNanos);
          acknowledge(target.desiredBytes(), target.sampledMillis(), reply, appliedMillis);
          attempt();
        });
  }

  private void ask() {
    busy = true;
    adapter.get(
        reply -> {
          ended();
          TierStatus inForce = inForce(reply);
          listener.asked(tier, reply);
          if (inForce != null) {
            long sampledMillis = inForce.sampledMillis() == null ? 0 : inForce.sampledMillis();
            acknowledge(inForce.capacityBytes(), sampledMillis, reply, clock.millis());
          }
          attempt();
        });
  }

  private void ended() {
    busy = false;
    contacted = true;
    lastContactNanos = nanoTime.getAsLong();
  }

  /** The tier's status after a reply: the one in the reply, or after a failure the last known. */
  private TierStatus inForce(TierReply reply) {
    return reply.status() == AckStatus.Failed ? tier.inForce() : reply.tier();
  }

  /**
   * A failure tells the last known capacity; where none was ever known there is nothing to tell.
   */
  private void acknowledge(
      long desiredBytes, long sampledMillis, TierReply reply, long answeredMillis) {
    TierStatus inForce = inForce(reply);
    if (inForce != null) {
      listener.ack(
          new Ack(
              tier.key().node(),
              tier.key().tier(),
              desiredBytes,
              inForce.capacityBytes(),
              inForce.usedBytes(),
              reply.status(),
              reply.message(),
              sampledMillis,
              answeredMillis));
    }
  }
}
