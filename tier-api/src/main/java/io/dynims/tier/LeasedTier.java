package io.dynims.tier;

import io.dynims.core.guard.NodeGuard;
import io.dynims.core.hint.HintLedger;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Applies the requests of a controller to a store in the order of their samples, and the decisions
 * of the node's guard.
 *
 * <p>Each request carries a lease. While the lease runs, a request with an older sample is
 * rejected. Once it has expired, any sample is accepted again, so that a node whose clock was set
 * back is not locked out; until then the guard decides. A sample from the future is rejected, as it
 * would lock out all others for as long as its lease runs.
 *
 * <p>Where several controllers share the fleet, each has a term that is greater than that of the
 * controller before. While a lease runs, a request of a lower term is rejected: another controller
 * has taken the tier over.
 *
 * <p>For some seconds after the guard has moved the capacity, a request may have been decided
 * without knowing, or from samples that are wrong. It then grows the tier by no more than it would
 * have grown the one it knew, and to no more than the guard itself sees room for. What it grows is
 * the capacity last asked for; once the guard sees room, it is what the store has not freed yet.
 *
 * <p>Capacities go to the store unchanged; the store clamps them ({@link TierStore#resize}).
 * Thread-safe.
 */
public final class LeasedTier {

  private static final Logger LOG = System.getLogger(LeasedTier.class.getName());

  /** How far a sample may be ahead of this node's clock: nodes' clocks are not exactly equal. */
  static final long MAX_AHEAD_MILLIS = 5_000;

  /** For how long requests are held to what the guard knows. */
  private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** For how long a brake is shown. */
  private static final long SHOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TierStore store;
  private final GuardSettings settings;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final GuardLog log = new GuardLog();
  private final HintBook hints;

  /** What jobs have taken of what they announced; for the guard's thread. */
  private final HintLedger taken = new HintLedger();

  /** The lease of the last applied request; null before the first one. */
  private volatile Lease lease;

  /** What the store was last asked for. */
  private long askedBytes = Long.MAX_VALUE;

  /** When the guard last moved the capacity; null before the first time. */
  private volatile Long guardedNanos;

  /** Whether it did so while a controller had the tier. */
  private volatile boolean braked;

  /** Null while there is no policy to follow. */
  private volatile NodeGuard guard;

  /** {@code controller} and {@code term} are null if there is only one controller. */
  private record Lease(long sampledMillis, long endNanos, String controller, Long term) {

    boolean isOfLaterTermThan(TierRequest request) {
      return term != null && request.term() != null && request.term() < term;
    }
  }

  /**
   * A tier that goes on with the policy that was saved.
   *
   * @param nanoTime a clock that does not step
   */
  public LeasedTier(TierStore store, GuardSettings settings, Clock clock, LongSupplier nanoTime) {
    this.store = store;
    this.settings = settings;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.hints = new HintBook(settings.stateFile(), settings.longestHintMillis(), clock);
    Policy saved = settings.stateFile().state().policy();
    if (saved != null && isOwn(saved.node())) {
      follow(saved);
    }
  }

  /** The state of the store, with who has asked for it. */
  public TierStatus status() throws StoreUnavailableException {
    return withServer(store.status());
  }

  /** The guard's decisions after a time, oldest first. */
  List<Target> decisions(long sinceMillis, int limit) {
    return log.since(sinceMillis, limit);
  }

  /** What jobs of the node are about to take; does not wait for a resize in progress. */
  List<Hint> hints() {
    return hints.hints();
  }

  /**
   * Keeps a hint.
   *
   * @return all hints
   * @throws IllegalArgumentException naming the field, if its times are out of range
   */
  public List<Hint> putHint(HintRequest request)
      throws MisdirectedException, TooManyHintsException {
    if (request.node() != null && !isOwn(request.node())) {
      throw new MisdirectedException("node", "the hint", request.node(), settings.node());
    }
    return hints.put(request);
  }

  /**
   * Forgets an owner's hint, if there is one.
   *
   * @return all others
   */
  List<Hint> removeHint(String owner) {
    return hints.remove(owner);
  }

  /**
   * Applies a request of a controller.
   *
   * @return the state afterwards
   */
  public synchronized TierStatus apply(TierRequest request)
      throws OutdatedSampleException,
          SupersededException,
          FutureSampleException,
          MisdirectedException,
          StoreUnavailableException {
    Policy policy = request.policy();
    if (policy != null && !isOwn(policy.node())) {
      throw new MisdirectedException("policy.node", "the policy", policy.node(), settings.node());
    }
    long nowMillis = clock.millis();
    if (request.sampledMillis() > nowMillis + MAX_AHEAD_MILLIS) {
      throw new FutureSampleException(request.sampledMillis(), nowMillis);
    }
    Lease last = lease;
    if (isRunning(last) && last.isOfLaterTermThan(request)) {
      throw new SupersededException(request.term(), last.term(), last.controller());
    }
    if (isRunning(last) && request.sampledMillis() < last.sampledMillis()) {
      throw new OutdatedSampleException(request.sampledMillis(), last.sampledMillis());
    }
    if (policy != null) {
      follow(policy);
      settings.stateFile().change(state -> state.withPolicy(policy));
    }
    TierStatus status = resize(allowedBytes(request));
    long leaseNanos = TimeUnit.MILLISECONDS.toNanos(request.leaseMillis());
    lease =
        new Lease(
            request.sampledMillis(),
            nanoTime.getAsLong() + leaseNanos,
            request.controller(),
            request.term());
    logPush(request, last);
    return withServer(status);
  }

  private void logPush(TierRequest applied, Lease last) {
    String controller = applied.controller();
    if (controller == null) {
      return;
    }
    if (last == null || !controller.equals(last.controller())) {
      LOG.log(
          Level.INFO,
          () -> "the controller %s has the tier of %s now".formatted(controller, settings.node()));
    }
    LOG.log(
        Level.DEBUG,
        () ->
            "push to %s: controller %s, term %d, %d bytes"
                .formatted(settings.node(), controller, applied.term(), applied.desiredBytes()));
  }

  private long allowedBytes(TierRequest request) throws StoreUnavailableException {
    NodeGuard current = guard;
    if (current == null || !isGuardedWithin(DOUBT_NANOS)) {
      return request.desiredBytes();
    }
    TierStatus status = store.status();
    long heldBytes = current.roomBytes() > 0 ? status.usedBytes() : 0;
    long capacityBytes = Math.max(heldBytes, Math.min(status.capacityBytes(), askedBytes));
    Long previousBytes = request.previousBytes();
    long growthBytes =
        previousBytes == null ? 0 : Math.max(0, request.desiredBytes() - previousBytes);
    long roomBytes = Math.max(capacityBytes, status.occupiedBytes() + current.roomBytes());
    return Math.min(
        request.desiredBytes(),
        Math.min(roomBytes, capacityBytes + Math.min(growthBytes, Long.MAX_VALUE - capacityBytes)));
  }

  private TierStatus resize(long bytes) throws StoreUnavailableException {
    askedBytes = bytes;
    return store.resize(bytes);
  }

  private boolean isGuardedWithin(long nanos) {
    Long last = guardedNanos;
    return last != null && nanoTime.getAsLong() - last < nanos;
  }

  /** The guard, or null while there is no policy to follow. */
  NodeGuard guard() {
    return guard;
  }

  /** Whether a controller has the tier. */
  public boolean isLeased() {
    return isRunning(lease);
  }

  /** The store's own state. */
  TierStatus storeStatus() throws StoreUnavailableException {
    return store.status();
  }

  /**
   * Applies a decision of the guard.
   *
   * @param braking whether it is a brake under a controller's lease; any other decision is dropped
   *     if a controller has the tier meanwhile
   */
  synchronized void apply(Target decision, NodeGuard by, boolean braking)
      throws StoreUnavailableException {
    if (by != guard || (isLeased() && !braking)) {
      return;
    }
    if (decision.desiredBytes() != decision.previousBytes()) {
      guardedNanos = nanoTime.getAsLong();
      braked = braking;
      var unused = resize(decision.desiredBytes());
    }
    log.add(decision);
  }

  private void follow(Policy policy) {
    store.setUnpersisted(policy.unpersisted());
    boolean enforced = policy.mode() == Mode.Enforce && settings.sampler().isPresent();
    NodeGuard old = guard;
    if (!enforced) {
      guard = null;
    } else if (old == null || !old.policy().equals(policy)) {
      guard = new NodeGuard(policy, taken);
    }
  }

  private boolean isOwn(String node) {
    return settings.node() == null || settings.node().equals(node);
  }

  private boolean isRunning(Lease candidate) {
    return candidate != null && candidate.endNanos() - nanoTime.getAsLong() > 0;
  }

  private TierStatus withServer(TierStatus status) {
    Lease current = lease;
    List<Hint> announced = hints();
    return status.with(
        settings.node(),
        current == null ? null : current.sampledMillis(),
        current == null ? null : isRunning(current),
        guardState(),
        log.newestMillis(),
        announced.isEmpty() ? null : announced,
        status.inProcess(),
        clock.millis());
  }

  private GuardState guardState() {
    if (guard == null) {
      return null;
    }
    if (!isLeased()) {
      return GuardState.Deciding;
    }
    return braked && isGuardedWithin(SHOWN_NANOS) ? GuardState.Braking : GuardState.Standby;
  }
}
