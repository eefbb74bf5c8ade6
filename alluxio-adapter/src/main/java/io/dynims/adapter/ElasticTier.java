package io.dynims.adapter;

import io.dynims.core.node.NodeMemory;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Gives the top tier of an Alluxio worker the desired capacity, and restores it whenever the worker
 * comes back.
 *
 * <p>{@link ConnectedTier} computes the capacity, {@link WorkerLink} knows the worker, and a {@link
 * Reconciler} reconnects and continues what a resize could not finish.
 */
final class ElasticTier implements TierStore, Reconciler.Subject, AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(ElasticTier.class);
  private static final long RELEASE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The desired capacity before the first request: all that the worker has. */
  private static final long UNRESTRICTED = Long.MAX_VALUE;

  private final Settings settings;
  private final TierDirectory directory;
  private final StateFile stateFile;
  private final Long nodeMemoryBytes;
  private final WorkerLink link;
  private final Reconciler reconciler = new Reconciler(this);

  /** Held while the connection or the balloon changes. */
  private final ReentrantLock lock = new ReentrantLock();

  /** As requested; clamped when it is applied, since the worker may come back with other bounds. */
  private volatile long desiredBytes = UNRESTRICTED;

  private volatile long unevictableBytes;

  ElasticTier(Settings settings, NodeMemory memory, StateFile stateFile) {
    this.settings = settings;
    this.directory = new TierDirectory(settings.directory(), System::nanoTime);
    this.stateFile = stateFile;
    OptionalLong detected = memory.totalBytes();
    this.nodeMemoryBytes =
        settings.nodeMemoryBytes().orElse(detected.isPresent() ? detected.getAsLong() : null);
    this.link = new WorkerLink(settings, directory, reconciler::wake);
  }

  /** Restores the capacity in the state file if the worker is available; starts the reconciler. */
  void start() throws InterruptedException {
    if (stateFile.state().capacityBytes() != null) {
      desiredBytes = stateFile.state().capacityBytes();
    }
    reconnect();
    reconciler.start();
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
        null,
        current.storeVersion(),
        nodeMemoryBytes);
  }

  @Override
  public TierStatus resize(long newDesiredBytes) throws StoreUnavailableException {
    link.require(); // Fail fast: the lock is held while the link reconnects.
    lock.lock();
    try {
      ConnectedTier current = link.require();
      desiredBytes = newDesiredBytes;
      applyDesired(current);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("the adapter is shutting down", e);
    } finally {
      lock.unlock();
      reconciler.wake(); // It refills the spare reservations.
    }
    return status();
  }

  @Override
  public boolean reconcile() throws InterruptedException {
    if (link.isUp()) {
      return resumeResize();
    }
    reconnect();
    link.confirm();
    return false;
  }

  @Override
  public void slowPoll() {
    saveDesired();
    link.confirm();
  }

  /** Releases all that is reserved, and waits a moment for the worker to have it. */
  @Override
  public void close() throws InterruptedException {
    reconciler.stop(RELEASE_TIMEOUT_NANOS);
    if (!lock.tryLock(RELEASE_TIMEOUT_NANOS, TimeUnit.NANOSECONDS)) {
      LOG.warn(
          "a resize does not finish; the worker frees what is reserved when this process ends");
      return;
    }
    try {
      saveDesired();
      link.close(RELEASE_TIMEOUT_NANOS);
    } finally {
      lock.unlock();
    }
  }

  private void reconnect() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      applyDesired(link.reconnect());
    } catch (StoreUnavailableException e) {
      link.setUnavailableReason(e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  /** Continues an unfinished resize, also after the worker dropped a reservation; true if done. */
  private boolean resumeResize() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      ConnectedTier current = link.require();
      Balloon balloon = current.balloon();
      boolean done =
          !balloon.hasLostReservations()
              && balloon.reservedBytes() == current.targetReservedBytes(desiredBytes);
      if (!done) {
        applyDesired(current);
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

  private void applyDesired(ConnectedTier current)
      throws StoreUnavailableException, InterruptedException {
    long beforeBytes = current.balloon().reservedBytes();
    long targetReservedBytes = current.targetReservedBytes(desiredBytes);
    Balloon.Outcome outcome = current.balloon().resize(targetReservedBytes, settings.budgetNanos());
    if (current.worker().isLost()) {
      throw new StoreUnavailableException(
          "the Alluxio worker is unavailable: connection lost during a resize", null);
    }
    long reservedBytes = current.balloon().reservedBytes();
    unevictableBytes =
        outcome == Balloon.Outcome.Refused ? Math.max(0, targetReservedBytes - reservedBytes) : 0;
    LOG.debug(
        "reserved {} -> {} bytes, target {}: {}",
        beforeBytes,
        reservedBytes,
        targetReservedBytes,
        outcome);
  }

  private void saveDesired() {
    if (desiredBytes != UNRESTRICTED) {
      stateFile.change(state -> state.withCapacity(desiredBytes));
    }
    stateFile.save();
  }
}
