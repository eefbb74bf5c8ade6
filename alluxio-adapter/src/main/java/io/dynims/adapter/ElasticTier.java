package io.dynims.adapter;

import io.dynims.adapter.runtime.AdapterMetrics;
import io.dynims.adapter.runtime.AdapterStore;
import io.dynims.adapter.runtime.PushLock;
import io.dynims.adapter.runtime.Reconciler;
import io.dynims.core.wire.Unpersisted;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Gives the top tier of an Alluxio worker the desired capacity, and restores it whenever the worker
 * comes back.
 *
 * <p>{@link ConnectedTier} computes the capacity, {@link WorkerLink} knows the worker, and a {@link
 * Reconciler} reconnects and continues what a resize could not finish.
 */
final class ElasticTier implements AdapterStore, Reconciler.Subject {

  private static final Logger LOG = LogManager.getLogger(ElasticTier.class);
  private static final long RELEASE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The desired capacity before the first request: all that the worker has. */
  private static final long UNRESTRICTED = Long.MAX_VALUE;

  private final Settings settings;
  private final TierDirectory directory;
  private final StateFile stateFile;
  private final Long nodeMemoryBytes;
  private final WorkerLink link;
  private final UnpersistedBlocks unpersisted;
  private final WorkerReads reads;

  /** How many holds were opened; the worker counts them as reads. */
  private final AtomicLong holds = new AtomicLong();

  private final Reconciler reconciler = new Reconciler(this);

  /** Held while the connection or the balloon changes. */
  private final PushLock lock = new PushLock();

  /** As requested; clamped when it is applied, since the worker may come back with other bounds. */
  private volatile long desiredBytes = UNRESTRICTED;

  private volatile long unevictableBytes;

  ElasticTier(Settings settings, StateFile stateFile, Long nodeMemoryBytes) {
    this.settings = settings;
    Path folder = settings.folder().own();
    this.directory = new TierDirectory(folder, this::isShown, System::nanoTime);
    this.stateFile = stateFile;
    this.nodeMemoryBytes = nodeMemoryBytes;
    this.link = new WorkerLink(settings, directory, stateFile, reconciler::wake);
    this.unpersisted =
        new UnpersistedBlocks(
            new BlockListing(folder.toFile(), this::isShown),
            directory::measuredBytes,
            new MasterFileStates(),
            this::hold,
            reconciler::wake,
            System::nanoTime);
    this.reads = new WorkerReads(settings.workerMetrics(), holds::get, System::nanoTime);
  }

  /**
   * Restores the capacity in the state file if the worker is available; starts the reconciler. Free
   * space is reserved first, and once it is known which data exists nowhere else, other data is
   * evicted.
   */
  @Override
  public void start() throws InterruptedException {
    if (stateFile.state().capacityBytes() != null) {
      desiredBytes = stateFile.state().capacityBytes();
    }
    if (stateFile.state().policy() != null) {
      unpersisted.setPolicy(stateFile.state().policy().unpersisted());
    }
    reconnect();
    unpersisted.start();
    var unused = resumeResize();
    reconciler.start();
    reads.start();
  }

  @Override
  public void register(AdapterMetrics metrics) {
    metrics.counter("worker.connects", "Connections made to the worker", link::connectCount);
    String description = "Block reads by what served them";
    metrics.counter("block.reads", "source", "tier", description, reads::tierReads);
    metrics.counter("block.reads", "source", "store", description, reads::storeReads);
  }

  /** How often the worker was connected. */
  long connectCount() {
    return link.connectCount();
  }

  @Override
  public TierStatus status() throws StoreUnavailableException {
    ConnectedTier current = link.require();
    long reservedBytes = current.balloon().reservedBytes();
    return new TierStatus(
        settings.tier(),
        current.capacityBytes(reservedBytes),
        current.bounds().minBytes(),
        current.bounds().maxBytes(),
        directory.usedBytes(),
        reservedBytes,
        unevictableBytes,
        unpersisted.unpersistedBytes(),
        reads.hitRatio(),
        current.storeVersion(),
        nodeMemoryBytes,
        null);
  }

  @Override
  public void setUnpersisted(Unpersisted what) {
    unpersisted.setPolicy(what);
  }

  /** Takes at most the budget in all; the reconciler continues with what is left. */
  @Override
  public TierStatus resize(long newDesiredBytes) throws StoreUnavailableException {
    long deadlineNanos = System.nanoTime() + settings.budgetNanos();
    link.require(); // Fail fast: the lock is held while the link reconnects.
    try {
      if (lock.tryLockForPush(settings.budgetNanos())) {
        applyPush(newDesiredBytes, deadlineNanos);
      } else {
        desiredBytes = newDesiredBytes;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("the adapter is shutting down", e);
    } finally {
      reconciler.wake(); // It refills the spare reservations.
    }
    return status();
  }

  private void applyPush(long newDesiredBytes, long deadlineNanos)
      throws StoreUnavailableException, InterruptedException {
    try {
      ConnectedTier current = link.require();
      desiredBytes = newDesiredBytes;
      applyDesired(current, deadlineNanos - System.nanoTime(), () -> false);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean reconcile() throws InterruptedException {
    link.probe();
    if (link.isUp()) {
      return resumeResize();
    }
    reconnect();
    confirm();
    return false;
  }

  @Override
  public void slowPoll() {
    keepDesired();
    confirm();
  }

  /** Releases all that is reserved, and waits a moment for the worker to have it. */
  @Override
  public void close() throws InterruptedException {
    reconciler.stop(RELEASE_TIMEOUT_NANOS);
    unpersisted.close();
    reads.close();
    if (!lock.tryLockForPush(RELEASE_TIMEOUT_NANOS)) {
      LOG.warn(
          "a resize does not finish; the worker frees what is reserved when this process ends");
      return;
    }
    try {
      keepDesired();
      link.close(RELEASE_TIMEOUT_NANOS);
    } finally {
      lock.unlock();
    }
  }

  private boolean isShown() {
    return link == null || link.isShown(); // Null while this is being made.
  }

  private Hold hold(long blockId) throws StoreUnavailableException {
    Hold hold = link.require().worker().hold(blockId);
    holds.incrementAndGet();
    return hold;
  }

  private void confirm() {
    if (link.confirm()) {
      reconciler.wake();
    }
  }

  private void reconnect() throws InterruptedException {
    lock.lockForBackground();
    try {
      ConnectedTier current = link.reconnect();
      unpersisted.requestRound();
      applyInBackground(current);
    } catch (StoreUnavailableException e) {
      link.setUnavailableReason(e);
    } finally {
      lock.unlock();
    }
  }

  /** Continues an unfinished resize, also after the worker dropped a reservation; true if done. */
  private boolean resumeResize() throws InterruptedException {
    lock.lockForBackground();
    try {
      ConnectedTier current = link.require();
      Balloon balloon = current.balloon();
      boolean done =
          !balloon.hasLostReservations()
              && balloon.reservedBytes() == current.targetReservedBytes(protectedBytes(current));
      if (!done) {
        applyInBackground(current);
      }
      current.worker().refillSpares();
      return done;
    } catch (StoreUnavailableException e) {
      LOG.debug("will reconnect: {}", e.getMessage());
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void applyInBackground(ConnectedTier current)
      throws StoreUnavailableException, InterruptedException {
    applyDesired(current, settings.budgetNanos(), lock::isPushWaiting);
  }

  private void applyDesired(ConnectedTier current, long budgetNanos, BooleanSupplier preempted)
      throws StoreUnavailableException, InterruptedException {
    current.balloon().dropEnded();
    long beforeBytes = current.balloon().reservedBytes();
    long targetReservedBytes = current.targetReservedBytes(protectedBytes(current));
    Balloon.Outcome outcome = current.balloon().resize(targetReservedBytes, budgetNanos, preempted);
    if (current.worker().isLost()) {
      throw new StoreUnavailableException(
          "the Alluxio worker is unavailable: connection lost during a resize", null);
    }
    long reservedBytes = current.balloon().reservedBytes();
    long refusedBytes =
        outcome == Balloon.Outcome.Refused ? Math.max(0, targetReservedBytes - reservedBytes) : 0;
    unevictableBytes = refusedBytes + withheldBytes(current, targetReservedBytes);
    LOG.debug(
        "reserved {} -> {} bytes, target {}: {}",
        beforeBytes,
        reservedBytes,
        targetReservedBytes,
        outcome);
  }

  /** The desired capacity, or more if less would lose data that exists nowhere else. */
  private long protectedBytes(ConnectedTier current) {
    long capacityBytes = current.capacityBytes(current.balloon().reservedBytes());
    return desiredBytes >= capacityBytes // Nothing is evicted.
        ? desiredBytes
        : Math.max(desiredBytes, unpersisted.floorBytes(capacityBytes));
  }

  /** What is not evicted because it might exist nowhere else, without what is known to. */
  private long withheldBytes(ConnectedTier current, long targetReservedBytes) {
    Long knownBytes = unpersisted.unpersistedBytes();
    long neededBytes = Math.max(desiredBytes, knownBytes == null ? 0 : knownBytes);
    return Math.max(0, current.targetReservedBytes(neededBytes) - targetReservedBytes);
  }

  private void keepDesired() {
    if (desiredBytes != UNRESTRICTED) {
      stateFile.change(state -> state.withCapacity(desiredBytes));
    }
  }
}
