package io.dynims.adapter.runtime;

import io.dynims.runtime.log.RateLimit;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The tier of a store that has a limit of its own: moves the limit step by step, continues in the
 * background what one request could not finish, and restores the limit when the store comes back or
 * somebody else has changed it.
 */
public final class LimitedTier implements AdapterStore, Reconciler.Subject {

  private static final Logger LOG = LogManager.getLogger(LimitedTier.class);
  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The desired capacity before the first request: what the store has. */
  private static final long UNTOUCHED = -1;

  private final LimitedSettings settings;
  private final LimitedStore store;
  private final StateFile stateFile;
  private final Long nodeMemoryBytes;
  private final Reconciler reconciler = new Reconciler(this);
  private final PushLock lock = new PushLock();
  private final HitRatio hitRatio = new HitRatio();
  private volatile long desiredBytes = UNTOUCHED;

  /** The limit that the last step left; that of somebody else if it differs later. */
  private volatile long ownLimitBytes = UNTOUCHED;

  /** The goal that the last step reached; there is work left while it is not the desired one. */
  private volatile long reachedBytes = UNTOUCHED;

  private final AtomicLong connects = new AtomicLong();
  private final AtomicLong foreignChanges = new AtomicLong();

  /** Another program that sets the limit again and again does not fill the log. */
  private final RateLimit foreignLog = new RateLimit(TimeUnit.MINUTES.toMillis(1));

  private volatile String unavailableReason = "";

  /**
   * A tier.
   *
   * @param nodeMemoryBytes the node's memory; null if unknown
   */
  public LimitedTier(
      LimitedSettings settings, LimitedStore store, StateFile stateFile, Long nodeMemoryBytes) {
    this.settings = settings;
    this.store = store;
    this.stateFile = stateFile;
    this.nodeMemoryBytes = nodeMemoryBytes;
  }

  @Override
  public void start() throws InterruptedException {
    restore();
    reconciler.start();
  }

  /** Asks for the capacity of the state file, and takes the first step towards it. */
  public void restore() throws InterruptedException {
    if (stateFile.state().capacityBytes() != null) {
      desiredBytes = stateFile.state().capacityBytes();
    }
    var unused = reconcile();
  }

  @Override
  public void register(AdapterMetrics metrics) {
    metrics.counter("store.connects", "Connections made to the store", connects::get);
    metrics.counter(
        "foreign.changes", "Limits that somebody else has set in the store", foreignChanges::get);
    store.register(metrics);
  }

  @Override
  public TierStatus status() throws StoreUnavailableException {
    requireAvailable();
    return status(store.read());
  }

  private TierStatus status(StoreReading now) {
    long capacityBytes = capacityBytes(now.limitBytes());
    long overBytes = Math.max(0, now.usedBytes() - capacityBytes);
    return new TierStatus(
            settings.tier(),
            capacityBytes,
            settings.bounds().minBytes(),
            settings.bounds().maxBytes(),
            now.usedBytes(),
            0,
            Math.max(isReached() ? overBytes : 0, now.unevictableBytes()),
            null,
            hitRatio.value(),
            now.version(),
            nodeMemoryBytes,
            now.residentBytes())
        .withInProcess(store.isInProcess());
  }

  /** Says why the store cannot be used, without asking it. */
  private void requireAvailable() throws StoreUnavailableException {
    String reason = unavailableReason;
    if (!reason.isEmpty()) {
      throw new StoreUnavailableException(reason, null);
    }
  }

  /** What was asked for, if the limit is the closest one below it that the store can have. */
  private long capacityBytes(long limitBytes) {
    return desiredBytes != UNTOUCHED && limitBytes == goalBytes()
        ? Math.max(limitBytes, settings.bounds().clamp(desiredBytes))
        : Math.min(limitBytes, settings.bounds().maxBytes());
  }

  private long goalBytes() {
    return store.rounded(settings.bounds().clamp(desiredBytes));
  }

  private boolean isReached() {
    return reachedBytes == goalBytes();
  }

  /** Takes at most the budget; the reconciler continues with what is left. */
  @Override
  public TierStatus resize(long newDesiredBytes) throws StoreUnavailableException {
    long deadlineNanos = System.nanoTime() + settings.budgetNanos();
    requireAvailable(); // Fail fast: the lock is held while the store is reconnected.
    try {
      if (!lock.tryLockForPush(settings.budgetNanos())) {
        desiredBytes = newDesiredBytes;
        return status();
      }
      try {
        desiredBytes = newDesiredBytes;
        return status(stepUntil(deadlineNanos, () -> false));
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("the adapter is shutting down", e);
    } finally {
      reconciler.wake();
    }
  }

  @Override
  public boolean reconcile() throws InterruptedException {
    lock.lockForBackground();
    try {
      store.connect();
      noteForeignChange(store.read());
      if (store.needsStep()) {
        reachedBytes = UNTOUCHED;
      }
      noteAvailable();
      if (desiredBytes != UNTOUCHED && !isReached()) {
        var unused = stepUntil(System.nanoTime() + settings.budgetNanos(), lock::isPushWaiting);
      }
      return desiredBytes == UNTOUCHED || isReached();
    } catch (StoreUnavailableException e) {
      noteUnavailable(e);
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void slowPoll() {
    if (desiredBytes != UNTOUCHED) {
      stateFile.change(state -> state.withCapacity(desiredBytes));
    }
    try {
      StoreReading now = store.read();
      hitRatio.add(System.nanoTime(), now.hits(), now.misses());
    } catch (StoreUnavailableException e) {
      hitRatio.setUnknown();
    }
  }

  @Override
  public void close() throws InterruptedException {
    reconciler.stop(STOP_NANOS);
    slowPoll();
    store.close();
  }

  /** Steps until the goal is reached or time is up; returns what the store says then. */
  private StoreReading stepUntil(long deadlineNanos, BooleanSupplier preempted)
      throws StoreUnavailableException, InterruptedException {
    // Should a step fail, the limit is unknown.
    ownLimitBytes = UNTOUCHED;
    reachedBytes = UNTOUCHED;
    do {
      long goalBytes = goalBytes();
      reachedBytes = store.step(goalBytes) ? goalBytes : UNTOUCHED;
    } while (!isReached() && !preempted.getAsBoolean() && System.nanoTime() - deadlineNanos < 0);
    StoreReading after = store.read();
    ownLimitBytes = after.limitBytes();
    return after;
  }

  private void noteForeignChange(StoreReading now) {
    if (ownLimitBytes != UNTOUCHED && now.limitBytes() != ownLimitBytes) {
      foreignChanges.incrementAndGet();
      reachedBytes = UNTOUCHED;
      if (foreignLog.permit(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()))) {
        LOG.warn(
            "{}: somebody else has set the store's limit to {} bytes; it was {}, and will be again"
                + " ({} times so far)",
            settings.tier(),
            now.limitBytes(),
            ownLimitBytes,
            foreignChanges.get());
      }
    }
  }

  private void noteAvailable() {
    if (connects.get() == 0 || !unavailableReason.isEmpty()) {
      connects.incrementAndGet();
      unavailableReason = "";
      LOG.info("{}: the store is available", settings.tier());
    }
  }

  /** Of several failures in a row with the same reason only the first is logged. */
  private void noteUnavailable(StoreUnavailableException e) {
    reachedBytes = UNTOUCHED;
    ownLimitBytes = UNTOUCHED;
    if (!unavailableReason.equals(e.getMessage())) {
      LOG.warn("{}: {}", settings.tier(), e.getMessage());
    }
    unavailableReason = e.getMessage();
  }
}
