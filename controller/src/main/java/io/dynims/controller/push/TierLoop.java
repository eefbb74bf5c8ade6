package io.dynims.controller.push;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.core.gate.PushGate;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import java.net.URI;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Hosts the {@link PushGate} of one tier: at most one request in flight, and a poll where nothing
 * else reported the capacity in force lately. It has no thread and no I/O of its own, and is for
 * use by one thread.
 */
public final class TierLoop {

  /** Targets tell most of what another controller's tiers do. */
  private static final long OTHERS_IDLE_MILLIS = 5_000;

  /** Runs something later on the loop's thread. */
  public interface Timer {

    /** Runs it once after a time. */
    void after(long millis, Runnable action);
  }

  private final Timer timer;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final PushSettings settings;
  private final TierListener listener;
  private final TierKey key;
  private final Supplier<Policy> policies;
  private final TierEndpoint adapter;
  private final PushGate gate;
  private final PolicyDelivery delivery = new PolicyDelivery();

  private boolean busy;
  private boolean waiting;
  private boolean closed;
  private Tenure tenure = Tenure.SOLE;
  private boolean contacted;

  /** Whether the last poll was answered with what is in force. */
  private boolean answers;

  /** The answer to the last push. */
  private TierReply lastReply;

  /** When it came, epoch milliseconds. */
  private long lastReplyMillis;

  /** When a target was last followed: pushed, or in force already. */
  private long lastServedNanos;

  private long lastContactNanos;

  /**
   * A loop that pushes.
   *
   * @param nanoTime a clock that does not step
   * @param policies the policy that the tier has now
   */
  public TierLoop(
      Timer timer,
      Clock clock,
      LongSupplier nanoTime,
      PushSettings settings,
      TierListener listener,
      TierKey key,
      Supplier<Policy> policies,
      TierEndpoint adapter) {
    this.timer = timer;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.settings = settings;
    this.listener = listener;
    this.key = key;
    this.policies = policies;
    this.adapter = adapter;
    this.gate = new PushGate(settings.gate());
    this.lastServedNanos = nanoTime.getAsLong();
  }

  TierEndpoint adapter() {
    return adapter;
  }

  /** Whether it serves this tier, or pushes another one to this adapter. */
  boolean owns(TierKey other, URI address) {
    return key.equals(other)
        || (policies.get().mode() == Mode.Enforce && adapter.uri().equals(address));
  }

  /** Whether to push, or only to poll. A tier that is taken over is polled at once. */
  public void assign(Tenure next) {
    if (!next.equals(tenure)) {
      contacted &= !next.pushes() || tenure.pushes();
      tenure = next;
      gate.clear();
      delivery.forgetAll();
    }
  }

  /** Accepts a target; it replaces one that still waits. */
  public void offer(Target target) {
    if (!tenure.pushes() || adapter.isMisdirected()) {
      return;
    }
    gate.offer(target);
    if (target.limitedBy() != Limit.Stale) {
      advance();
    }
  }

  /** Polls the tier if nothing else reported the capacity in force lately. */
  public void pollIfIdle(long nowNanos) {
    long idleNanos = MILLISECONDS.toNanos(idleMillis());
    boolean idle = nowNanos - lastServedNanos >= idleNanos || !contacted;
    boolean due = !contacted || nowNanos - lastContactNanos >= idleNanos;
    if (!busy && !closed && idle && due) {
      poll();
    }
  }

  /**
   * How long nothing may report the tier. One that is off gets no targets, and where no reader sees
   * its store the job knows what it holds by polls alone: it is polled as often as others are
   * decided, unless it does not answer.
   */
  private long idleMillis() {
    if (tenure.isOthers()) {
      return Math.max(OTHERS_IDLE_MILLIS, settings.idleMillis());
    }
    Policy policy = policies.get();
    return policy.mode() == Mode.Off && tenure.pushes() && answers
        ? Math.min(settings.idleMillis(), policy.intervalMillis())
        : settings.idleMillis();
  }

  /** Ends; the answer to a request in flight is dropped. */
  public void close() {
    closed = true;
    gate.clear();
    adapter.close();
  }

  private void advance() {
    if (busy || waiting || closed) {
      return;
    }
    PushGate.Step step = gate.next(policies.get(), clock.millis(), nanoTime.getAsLong());
    switch (step.kind()) {
      case Idle -> {}
      case Wait -> await(step.waitNanos());
      case Poll -> poll();
      case Acknowledge -> acknowledgeAgain(step.target());
      case Push -> push(step.target(), step.leaseMillis());
    }
  }

  private void await(long waitNanos) {
    waiting = true;
    timer.after(
        NANOSECONDS.toMillis(waitNanos) + 1,
        () -> {
          waiting = false;
          advance();
        });
  }

  private void push(Target target, long leaseMillis) {
    busy = true;
    long startNanos = nanoTime.getAsLong();
    lastServedNanos = startNanos;
    Policy policy = policies.get();
    int connection = adapter.connection();
    Tenure sentIn = tenure;
    adapter.put(
        new TierRequest(
            target.desiredBytes(),
            target.sampledMillis(),
            Math.min(TierRequest.MAX_LEASE_MILLIS, leaseMillis),
            target.previousBytes(),
            delivery.next(policy, connection, startNanos),
            tenure.controller(),
            tenure.term()),
        reply -> {
          ended();
          lastReply = reply;
          lastReplyMillis = clock.millis();
          if (tenure.equals(sentIn)) {
            delivery.answered(policy, connection, reply);
            answered(target, reply);
          } // Otherwise another controller may have changed all of it since.
          listener.pushed(target, reply, nanoTime.getAsLong() - startNanos);
          acknowledge(target.desiredBytes(), target.sampledMillis(), reply, lastReplyMillis);
          advance();
        });
  }

  private void answered(Target target, TierReply reply) {
    TierStatus inForce = reply.tier();
    if (inForce == null) {
      gate.failed(target);
    } else {
      boolean applied = reply.status() == AckStatus.Applied;
      gate.answered(target, applied, inForce.capacityBytes(), inForce.occupiedBytes());
    }
  }

  /** The tier was not asked again: the ack has the time of its last answer. */
  private void acknowledgeAgain(Target target) {
    lastServedNanos = nanoTime.getAsLong();
    long inForceBytes = lastReply.tier().capacityBytes();
    acknowledge(inForceBytes, target.sampledMillis(), lastReply, lastReplyMillis);
  }

  private void poll() {
    busy = true;
    adapter.get(
        reply -> {
          ended();
          delivery.forget();
          listener.asked(reply);
          TierStatus inForce = reply.tier();
          answers = inForce != null;
          if (answers) {
            gate.told(inForce.capacityBytes());
            long sampledMillis = inForce.sampledMillis() == null ? 0 : inForce.sampledMillis();
            acknowledge(inForce.capacityBytes(), sampledMillis, reply, clock.millis());
          }
          if (inForce != null && mayTellGuard(inForce)) {
            tellGuard(inForce);
          } else {
            advance();
          }
        });
  }

  /**
   * Whether the guard still follows an earlier policy although this one does not enforce, or may
   * follow none or an earlier one although it does and nothing is pushed: nobody decides, the job
   * only holds, or what it decides is too old.
   */
  private boolean mayTellGuard(TierStatus inForce) {
    boolean enforces = policies.get().mode() == Mode.Enforce;
    long idleNanos = nanoTime.getAsLong() - lastServedNanos;
    boolean due = !enforces || idleNanos >= MILLISECONDS.toNanos(settings.idleMillis());
    boolean may = tenure.pushes() && !closed && !adapter.isMisdirected();
    boolean old = enforces && !delivery.isGiven(policies.get());
    return may && due && (old || (inForce.guard() == null) == enforces);
  }

  /** Sends the guard the policy with the capacity that is in force. */
  private void tellGuard(TierStatus inForce) {
    busy = true;
    Policy policy = policies.get();
    int connection = adapter.connection();
    Tenure sentIn = tenure;
    adapter.put(
        Releaser.policyRequest(inForce, inForce.capacityBytes(), policy, settings.gate(), tenure),
        reply -> {
          ended();
          if (tenure.equals(sentIn)) {
            delivery.answered(policy, connection, reply);
          }
          listener.asked(reply);
          advance();
        });
  }

  private void ended() {
    busy = false;
    contacted = true;
    lastContactNanos = nanoTime.getAsLong();
  }

  private void acknowledge(
      long desiredBytes, long sampledMillis, TierReply reply, long answeredMillis) {
    listener.ack(ReplyAck.of(key, desiredBytes, sampledMillis, reply, answeredMillis));
  }
}
