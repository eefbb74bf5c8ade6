package io.dynims.adapter.runtime;

import io.dynims.tier.CapacityBounds;
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

  private final String tier;
  private final LimitedStore store;
  private final CapacityBounds bounds;
  private final long budgetNanos;
  private final StateFile stateFile;
  private final Long nodeMemoryBytes;
  private final Reconciler reconciler = new Reconciler(this);
  private final PushLock lock = new PushLock();
  private final HitRatio hitRatio = new HitRatio();
  private volatile long desiredBytes = UNTOUCHED;

  /** The limit that the last step left; that of somebody else if it differs later. */
  private volatile long ownLimitBytes = UNTOUCHED;

  private volatile boolean reached;
  private final AtomicLong connects = new AtomicLong();
  private final AtomicLong foreignChanges = new AtomicLong();
  private volatile String unavailable = "";

  /**
   * A tier.
   *
   * @param tier its name
   * @param bounds the capacities that it accepts
   * @param budgetNanos the longest that one resize takes
   * @param nodeMemoryBytes the node's memory; null if unknown
   */
  public LimitedTier(
      String tier,
      LimitedStore store,
      CapacityBounds bounds,
      long budgetNanos,
      StateFile stateFile,
      Long nodeMemoryBytes) {
    this.tier = tier;
    this.store = store;
    this.bounds = bounds;
    this.budgetNanos = budgetNanos;
    this.stateFile = stateFile;
    this.nodeMemoryBytes = nodeMemoryBytes;
  }

  @Override
  public void start() throws InterruptedException {
    if (stateFile.state().capacityBytes() != null) {
      desiredBytes = stateFile.state().capacityBytes();
    }
    var unused = reconcile();
    reconciler.start();
  }

  @Override
  public void register(AdapterMetrics metrics) {
    metrics.counter("store.connects", "Connections made to the store", connects::get);
    metrics.counter(
        "foreign.changes", "Limits that somebody else has set in the store", foreignChanges::get);
  }

  @Override
  public TierStatus status() throws StoreUnavailableException {
    StoreReading now = read();
    long capacityBytes = capacityBytes(now.limitBytes());
    long overBytes = Math.max(0, now.usedBytes() - capacityBytes);
    return new TierStatus(
        tier,
        capacityBytes,
        bounds.minBytes(),
        bounds.maxBytes(),
        now.usedBytes(),
        0,
        reached ? overBytes : 0,
        null,
        hitRatio.value(),
        now.version(),
        nodeMemoryBytes,
        now.residentBytes());
  }

  /** Says why the store could not be connected, if that is why it does not answer. */
  private StoreReading read() throws StoreUnavailableException {
    try {
      return store.read();
    } catch (StoreUnavailableException e) {
      throw unavailable.isEmpty() ? e : new StoreUnavailableException(unavailable, e);
    }
  }

  /** What was asked for, if the limit is the closest one below it that the store can have. */
  private long capacityBytes(long limitBytes) {
    long goalBytes = bounds.clamp(desiredBytes);
    return desiredBytes != UNTOUCHED && limitBytes == store.rounded(goalBytes)
        ? goalBytes
        : Math.min(limitBytes, bounds.maxBytes());
  }

  /** Takes at most the budget; the reconciler continues with what is left. */
  @Override
  public TierStatus resize(long newDesiredBytes) throws StoreUnavailableException {
    long deadlineNanos = System.nanoTime() + budgetNanos;
    var unused = read(); // Fail fast: the lock is held while the store is reconnected.
    try {
      if (lock.tryLockForPush(budgetNanos)) {
        try {
          desiredBytes = newDesiredBytes;
          reached = false;
          stepUntil(deadlineNanos, () -> false);
        } finally {
          lock.unlock();
        }
      } else {
        desiredBytes = newDesiredBytes;
        reached = false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("the adapter is shutting down", e);
    } finally {
      reconciler.wake();
    }
    return status();
  }

  @Override
  public boolean reconcile() throws InterruptedException {
    lock.lockForBackground();
    try {
      store.connect();
      noteForeignChange(store.read());
      available();
      if (desiredBytes == UNTOUCHED) {
        return true;
      }
      stepUntil(System.nanoTime() + budgetNanos, lock::isPushWaiting);
      return reached;
    } catch (StoreUnavailableException e) {
      away(e);
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
    stateFile.save();
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

  private void stepUntil(long deadlineNanos, BooleanSupplier preempted)
      throws StoreUnavailableException, InterruptedException {
    long goalBytes = store.rounded(bounds.clamp(desiredBytes));
    while (!reached) {
      reached = store.step(goalBytes);
      ownLimitBytes = store.read().limitBytes();
      if (preempted.getAsBoolean() || System.nanoTime() - deadlineNanos >= 0) {
        return;
      }
    }
  }

  private void noteForeignChange(StoreReading now) {
    if (ownLimitBytes != UNTOUCHED && now.limitBytes() != ownLimitBytes) {
      foreignChanges.incrementAndGet();
      reached = false;
      LOG.warn(
          "{}: somebody else has set the store's limit to {} bytes; it was {}, and will be again",
          tier,
          now.limitBytes(),
          ownLimitBytes);
    }
  }

  private void available() {
    if (connects.get() == 0 || !unavailable.isEmpty()) {
      connects.incrementAndGet();
      unavailable = "";
      LOG.info("{}: the store is available", tier);
    }
  }

  /** Of several failures in a row with the same reason only the first is logged. */
  private void away(StoreUnavailableException e) {
    reached = false;
    ownLimitBytes = UNTOUCHED;
    if (!unavailable.equals(e.getMessage())) {
      LOG.warn("{}: {}", tier, e.getMessage());
    }
    unavailable = e.getMessage();
  }
}
