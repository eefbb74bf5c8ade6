package io.dynims.tier;

import io.dynims.core.guard.NodeGuard;
import io.dynims.core.node.NodeSampler;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.runtime.log.RateLimit;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Hosts the {@link NodeGuard} of a tier on a thread of its own: samples the node ten times a
 * second, or as often as the policy decides. At rest, while no job has announced anything, a tick
 * reads the kernel's files and compares; it neither allocates nor asks the store.
 */
public final class GuardLoop implements Runnable, AutoCloseable {

  private static final Logger LOG = System.getLogger(GuardLoop.class.getName());
  private static final long WATCH_MILLIS = 100;

  private final LeasedTier tier;
  private final NodeSampler sampler;
  private final SteadyClock clock;
  private final RateLimit failures = new RateLimit(TimeUnit.MINUTES.toMillis(1));
  private final Thread thread = new Thread(this, "node-guard");
  private volatile boolean stopped;
  private boolean deciding;

  /** A loop that has not started. */
  public GuardLoop(LeasedTier tier, NodeSampler sampler, Clock clock, LongSupplier nanoTime) {
    this.tier = tier;
    this.sampler = sampler;
    this.clock = new SteadyClock(clock, nanoTime);
    thread.setDaemon(true);
  }

  /** Takes its turns on a thread of its own from now on. */
  public void start() {
    thread.start();
  }

  @Override
  public void run() {
    long dueNanos = System.nanoTime();
    while (!stopped) {
      long intervalNanos = TimeUnit.MILLISECONDS.toNanos(turn());
      dueNanos = Math.max(dueNanos + intervalNanos, System.nanoTime());
      while (!stopped && dueNanos - System.nanoTime() > 0) {
        LockSupport.parkNanos(this, dueNanos - System.nanoTime());
      }
    }
  }

  /**
   * Takes one sample and acts on it, if there is a policy; returns how long until its next turn.
   */
  public long turn() {
    NodeGuard guard = tier.guard();
    if (guard != null) {
      safeTick(guard);
    }
    return intervalMillis(guard);
  }

  private static long intervalMillis(NodeGuard guard) {
    return guard == null ? WATCH_MILLIS : Math.min(WATCH_MILLIS, guard.policy().intervalMillis());
  }

  /** Nothing ends the guard, not even a mistake in this program. */
  private void safeTick(NodeGuard guard) {
    try {
      tick(guard);
    } catch (RuntimeException e) {
      if (failures.permit(clock.millis())) {
        LOG.log(Level.ERROR, "the node is not guarded now", e);
      }
    }
  }

  /** Takes one sample and acts on it. */
  void tick(NodeGuard guard) {
    try {
      boolean leased = tier.isLeased();
      if (leased) {
        clock.set();
      }
      sampler.sample(false);
      long nowMillis = clock.millis();
      guard.observe(sampler.usedBytes(), sampler.totalBytes(), sampler.stalledMicros(), nowMillis);
      tell(leased, guard);
      if (leased) {
        guard.standBy();
        if (guard.isCritical()) {
          brake(guard, nowMillis);
        }
        watch(guard);
      } else {
        sampler.sample(true);
        Target decision = guard.decide(inForce(guard), sampler.usedBytes(), nowMillis);
        apply(decision, guard, false);
      }
    } catch (IOException | StoreUnavailableException e) {
      if (failures.permit(clock.millis())) {
        LOG.log(Level.WARNING, "the node is not guarded now: {0}", e.getMessage());
      }
    }
  }

  private void watch(NodeGuard guard) throws IOException, StoreUnavailableException {
    if (!tier.hints().isEmpty()) {
      sampler.sample(true);
      guard.watch(inForce(guard), sampler.usedBytes());
    }
  }

  private void brake(NodeGuard guard, long nowMillis)
      throws IOException, StoreUnavailableException {
    sampler.sample(true);
    if (guard.isCritical(sampler.usedBytes())) {
      apply(guard.brake(inForce(guard), sampler.usedBytes(), nowMillis), guard, true);
    }
  }

  private void apply(Target decision, NodeGuard guard, boolean braking)
      throws StoreUnavailableException {
    if (decision != null) {
      tier.apply(decision, guard, braking);
    }
  }

  /** What the tier tells now, as an ack. */
  private Ack inForce(NodeGuard guard) throws StoreUnavailableException {
    TierStatus status = tier.storeStatus();
    return new Ack(
        guard.policy().node(),
        guard.policy().tier(),
        status.capacityBytes(),
        status.capacityBytes(),
        status.occupiedBytes(),
        status.unevictableBytes(),
        status.unpersistedBytes(),
        status.hitRatio(),
        AckStatus.Applied,
        "",
        clock.millis(),
        clock.millis(),
        tier.hints(),
        null,
        null);
  }

  private void tell(boolean leased, NodeGuard guard) {
    if (leased == deciding) {
      deciding = !leased;
      LOG.log(
          leased ? Level.INFO : Level.WARNING,
          leased
              ? "a controller has the tier: the guard stands by"
              : "no controller has the tier: the guard decides, {0}",
          guard.policy().guard().onLostControl());
    }
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
    try {
      thread.join(TimeUnit.SECONDS.toMillis(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
