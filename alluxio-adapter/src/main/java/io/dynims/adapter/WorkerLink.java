package io.dynims.adapter;

import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import java.nio.file.FileSystemException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Keeps the connection to the worker, replaces a lost one, and remembers the quota of the worker's
 * tier.
 *
 * <p>{@link #reconnect}, {@link #confirm}, {@link #probe} and {@link #close} are for one thread at
 * a time. The other methods are thread-safe and never wait.
 */
final class WorkerLink {

  private static final Logger LOG = LogManager.getLogger(WorkerLink.class);

  /** How often to ask again where a worker answers, but something else is wrong. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often to ask again where the master answers, but not the worker's web server. */
  private static final long CONFIRM_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Settings settings;
  private final TierDirectory directory;
  private final FolderCheck folderCheck;
  private final TierQuota quota;
  private final Runnable onLost;
  private final AtomicLong connects = new AtomicLong();
  private final AtomicReference<ConnectedTier> connected = new AtomicReference<>();
  private volatile String unavailableReason = "the adapter has not connected to the worker yet";

  private boolean wasSilent;

  /** When to try again. */
  private long retryNanos = System.nanoTime();

  /** Whether the tier's size has been confirmed since the worker was connected. */
  private boolean confirmed;

  /** When to ask for it again. */
  private long confirmNanos = System.nanoTime();

  /**
   * A link that is not connected.
   *
   * @param stateFile knows the tier's quota of an earlier run, and keeps that of this one
   * @param onLost called when a connection is lost, on a thread that must not block
   */
  WorkerLink(Settings settings, TierDirectory directory, StateFile stateFile, Runnable onLost) {
    this.settings = settings;
    this.directory = directory;
    this.folderCheck = new FolderCheck(settings, directory);
    this.quota = new TierQuota(settings, stateFile);
    this.onLost = onLost;
  }

  /** How often the worker was connected. */
  long connectCount() {
    return connects.get();
  }

  /** Whether the worker is connected. */
  boolean isUp() {
    ConnectedTier current = connected.get();
    return current != null && !current.worker().isLost();
  }

  /**
   * The connected tier.
   *
   * @throws StoreUnavailableException if the worker is not connected, or hangs
   */
  ConnectedTier require() throws StoreUnavailableException {
    ConnectedTier current = connected.get();
    if (current == null || current.worker().isLost()) {
      throw new StoreUnavailableException(unavailableReason, null);
    }
    if (current.worker().isSilent()) {
      throw new StoreUnavailableException(
          "the Alluxio worker at " + settings.worker() + " hangs: it does not answer", null);
    }
    return current;
  }

  /** Whether the tier's folder still shows a block of the connected worker, if there is one. */
  boolean isShown() {
    ConnectedTier current = connected.get();
    return current == null || current.worker().isShown();
  }

  /** Asks the worker for a sign of life, and logs when it stops or starts to answer. */
  void probe() {
    ConnectedTier current = connected.get();
    if (current == null) {
      return;
    }
    current.worker().probe();
    boolean silent = !current.worker().isLost() && current.worker().isSilent();
    if (silent && !wasSilent) {
      LOG.warn("the worker hangs: it does not answer");
    } else if (!silent && wasSilent) {
      LOG.info("the worker answers again, or is lost");
    }
    wasSilent = silent;
  }

  /**
   * Closes the old connection, if any, and opens a new one. The tier's quota is the last known one
   * until {@link #confirm}.
   *
   * @throws StoreUnavailableException if the worker is unavailable, its tier's size is unknown, or
   *     its blocks are not in the tier's folder or cannot be read there
   */
  ConnectedTier reconnect() throws StoreUnavailableException, InterruptedException {
    confirmed = false;
    confirmNanos = System.nanoTime();
    quota.expectAnother();
    ConnectedTier old = connected.getAndSet(null);
    if (old != null) {
      old.worker().close();
    }
    if (System.nanoTime() - retryNanos < 0) {
      throw new StoreUnavailableException(unavailableReason, null);
    }
    WorkerConnection worker = open();
    try {
      if (quota.bytes() == 0) {
        quota.ask();
      }
      folderCheck.require(worker, quota.bytes());
    } catch (StoreUnavailableException e) {
      worker.close();
      retryNanos = System.nanoTime() + RETRY_NANOS;
      throw e;
    }
    Balloon balloon = new Balloon(worker, this::freeBytes, settings.sliceBytes(), System::nanoTime);
    ConnectedTier tier =
        new ConnectedTier(worker, balloon, bounds(), quota.bytes(), quota.storeVersion());
    connected.set(tier);
    connects.incrementAndGet();
    LOG.info(
        "connected to the worker at {}: tier of {} bytes, Alluxio {}",
        settings.worker(),
        quota.bytes(),
        quota.storeVersion());
    return tier;
  }

  private WorkerConnection open() throws StoreUnavailableException, InterruptedException {
    try {
      return WorkerConnection.open(settings, this::connectionLost);
    } catch (StoreUnavailableException e) {
      folderCheck.reset();
      throw e;
    }
  }

  /**
   * Sets the reason that {@link #require} gives while the worker is not connected. A wrong folder
   * does not mend itself.
   */
  void setUnavailableReason(StoreUnavailableException why) {
    if (!why.getMessage().equals(unavailableReason)) {
      LOG.log(
          why.getCause() instanceof FileSystemException ? Level.ERROR : Level.WARN,
          why.getMessage());
    }
    unavailableReason = why.getMessage();
  }

  /**
   * Asks the master once per connection for the size of the tier: a worker may come back with
   * another one. The last capacity is in force again before that, as the master may take long.
   *
   * @return whether the tier has another quota than was assumed
   */
  boolean confirm() {
    ConnectedTier current = connected.get();
    if (current == null) {
      return false;
    }
    recheckFolder(current);
    if (confirmed || System.nanoTime() - confirmNanos < 0) {
      return false;
    }
    try {
      confirmed = quota.ask();
      confirmNanos = System.nanoTime() + CONFIRM_NANOS;
      if (quota.bytes() != current.quotaBytes()) {
        LOG.warn("the worker's tier now has {} bytes", quota.bytes());
      }
      if (confirmed) {
        warnOfSmallQuota();
      }
      connected.compareAndSet(
          current,
          new ConnectedTier(
              current.worker(), current.balloon(), bounds(), quota.bytes(), quota.storeVersion()));
      return quota.bytes() != current.quotaBytes();
    } catch (StoreUnavailableException e) {
      LOG.debug("assuming that the tier still has {} bytes: {}", quota.bytes(), e.getMessage());
      return false;
    }
  }

  private void recheckFolder(ConnectedTier current) {
    try {
      long capacityBytes = current.capacityBytes(current.balloon().reservedBytes());
      folderCheck.recheck(current.worker(), capacityBytes);
    } catch (StoreUnavailableException e) {
      if (e.getCause() instanceof FileSystemException) {
        current.worker().abandon();
        setUnavailableReason(e);
      }
    }
  }

  private void warnOfSmallQuota() {
    if (settings.maxBytes().isPresent() && settings.maxBytes().get() > quota.bytes()) {
      LOG.warn(
          "tier.max is {} bytes, but the worker's tier has only {}",
          settings.maxBytes().get(),
          quota.bytes());
    }
  }

  /** Releases all that is reserved, waits for the worker to have it, and disconnects. */
  void close(long releaseTimeoutNanos) throws InterruptedException {
    unavailableReason = "the adapter is shutting down";
    ConnectedTier last = connected.getAndSet(null);
    if (last != null) {
      last.balloon().releaseAll(releaseTimeoutNanos);
      last.worker().close();
    }
  }

  private CapacityBounds bounds() {
    long maxBytes = Math.min(settings.maxBytes().orElse(quota.bytes()), quota.bytes());
    return new CapacityBounds(Math.min(settings.minBytes(), maxBytes), maxBytes);
  }

  private void connectionLost() {
    unavailableReason = "the Alluxio worker is unavailable: connection lost";
    onLost.run();
  }

  private long freeBytes() {
    ConnectedTier current = connected.get();
    OptionalLong usedBytes = directory.measuredBytes();
    return current == null || usedBytes.isEmpty()
        ? 0
        : current.capacityBytes(current.balloon().reservedBytes()) - usedBytes.getAsLong();
  }
}
