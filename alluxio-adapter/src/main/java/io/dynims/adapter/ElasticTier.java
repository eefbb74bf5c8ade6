package io.dynims.adapter;

import alluxio.wire.WorkerInfo;
import io.dynims.core.node.NodeMemory;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The top tier of an Alluxio worker, made elastic by a balloon: capacity = maximum − reserved.
 *
 * <p>A thread of its own tends it, after each resize and ten times a second where something is left
 * to do: connects to a worker that has come (back), brings the last capacity in force again, and
 * goes on with what could not be had at once.
 */
final class ElasticTier implements TierStore, AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(ElasticTier.class);
  private static final long TEND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long SELDOM_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RELEASE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The worker and the balloon in it, for as long as the connection lasts. */
  private record Connection(Worker worker, Balloon balloon, long maxBytes, String storeVersion) {}

  private final Settings settings;
  private final TierDirectory directory;
  private final StateFile stateFile;
  private final Long memoryTotalBytes;
  private final Thread tender = new Thread(this::tend, "tier-tender");
  private final ReentrantLock lock = new ReentrantLock();

  /** How often the worker was connected to since the start. */
  final AtomicLong connects = new AtomicLong();

  private volatile Connection connection;
  private volatile String whyAway = "not connected yet";
  private volatile long unevictableBytes;
  private volatile boolean closed;

  /** The last capacity asked for; greater than any maximum until one was. */
  private volatile long wantedBytes = Long.MAX_VALUE;

  /** Of the worker as it was last seen, for when it is back before the master knows. */
  private long knownMaxBytes;

  private String knownVersion;

  /** Whether the master has been asked about the worker since it was connected to. */
  private boolean confirmed;

  ElasticTier(Settings settings, NodeMemory memory) {
    this.settings = settings;
    this.directory = new TierDirectory(settings.directory(), System::nanoTime);
    this.stateFile = settings.stateFile().map(StateFile::new).orElse(null);
    OptionalLong found = memory.totalBytes();
    this.memoryTotalBytes =
        settings.memoryTotalBytes().orElse(found.isPresent() ? found.getAsLong() : null);
    this.knownMaxBytes = settings.maxBytes().orElse(0L);
    this.knownVersion = "unknown";
  }

  /** Brings the capacity kept in the state file in force, if the worker is there, and stays on. */
  void start() throws InterruptedException {
    if (stateFile != null) {
      stateFile.read().ifPresent(bytes -> wantedBytes = bytes);
    }
    reconnect();
    tender.setDaemon(true);
    tender.start();
  }

  @Override
  public TierStatus status() throws StoreUnavailableException {
    Connection current = here();
    long reservedBytes = current.balloon().reservedBytes();
    return new TierStatus(
        settings.tier(),
        current.maxBytes() - reservedBytes,
        Math.min(settings.minBytes(), current.maxBytes()),
        current.maxBytes(),
        directory.usedBytes(),
        reservedBytes,
        unevictableBytes,
        current.storeVersion(),
        memoryTotalBytes,
        null,
        null);
  }

  @Override
  public TierStatus resize(long capacityBytes) throws StoreUnavailableException {
    here(); // A request must not wait for a worker that is away.
    lock.lock();
    try {
      Connection current = here();
      wantedBytes = capacityBytes;
      resize(current);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("the adapter is shutting down", e);
    } finally {
      lock.unlock();
      LockSupport.unpark(tender); // It opens reservations ahead in place of those just used.
    }
    return status();
  }

  /** Gives back all that is reserved, and waits a moment for the worker to have it. */
  @Override
  public void close() throws InterruptedException {
    closed = true;
    tender.interrupt();
    tender.join(RELEASE_NANOS / 1_000_000);
    if (!lock.tryLock(RELEASE_NANOS, TimeUnit.NANOSECONDS)) {
      LOG.warn("a resize does not end; the worker takes back what is reserved as this ends");
      return;
    }
    try {
      keepState();
      Connection last = connection;
      connection = null;
      whyAway = "the adapter is shutting down";
      if (last != null) {
        last.balloon().releaseAll(RELEASE_NANOS);
        last.worker().close();
      }
    } finally {
      lock.unlock();
    }
  }

  private Connection here() throws StoreUnavailableException {
    Connection current = connection;
    if (current == null || current.worker().isLost()) {
      throw new StoreUnavailableException(whyAway, null);
    }
    return current;
  }

  private void tend() {
    long seldomNanos = System.nanoTime();
    while (!closed) {
      try {
        Connection current = connection;
        boolean rests = false;
        if (current == null || current.worker().isLost()) {
          confirmed = false;
          reconnect();
          confirm();
        } else {
          rests = goOn(current);
        }
        if (System.nanoTime() - seldomNanos >= SELDOM_NANOS) {
          seldomNanos = System.nanoTime();
          keepState();
          confirm();
        }
        LockSupport.parkNanos(this, rests ? REST_NANOS : TEND_NANOS);
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("tending the tier failed; it is tried again", e);
        LockSupport.parkNanos(this, TEND_NANOS);
      }
    }
  }

  private void keepState() {
    if (stateFile != null && wantedBytes != Long.MAX_VALUE) {
      stateFile.write(wantedBytes);
    }
  }

  /**
   * Takes up what an earlier resize could not do, or the worker has undone; true where there was
   * nothing of that.
   */
  private boolean goOn(Connection current) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Balloon balloon = current.balloon();
      boolean done = !balloon.isLeaking() && balloon.reservedBytes() == toReserve(current);
      if (!done) {
        resize(current);
      }
      current.worker().restock();
      return done;
    } catch (StoreUnavailableException e) {
      LOG.debug("{}; the next round connects again", e.getMessage());
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void reconnect() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (connection != null) {
        connection.worker().close();
        connection = null;
      }
      Connection found = connect();
      connects.incrementAndGet();
      LOG.info(
          "connected to the worker at {}: tier of {} bytes, Alluxio {}",
          settings.worker(),
          found.maxBytes(),
          found.storeVersion());
      connection = found; // Before it is resized: whatever happens there, the next round closes it.
      resize(found);
    } catch (StoreUnavailableException e) {
      if (!e.getMessage().equals(whyAway)) {
        LOG.warn(e.getMessage());
      }
      whyAway = e.getMessage();
    } finally {
      lock.unlock();
    }
  }

  /** The worker may have come back as another one; its capacity was put in force before asking. */
  private void confirm() {
    Connection current = connection;
    if (current == null || confirmed) {
      return;
    }
    try {
      learn();
      confirmed = true;
      if (knownMaxBytes != current.maxBytes()) {
        LOG.warn("the tier is now of {} bytes", knownMaxBytes);
      }
      connection = new Connection(current.worker(), current.balloon(), knownMaxBytes, knownVersion);
    } catch (StoreUnavailableException e) {
      LOG.debug("the tier is taken to be of {} bytes: {}", knownMaxBytes, e.getMessage());
    }
  }

  private Connection connect() throws StoreUnavailableException, InterruptedException {
    Worker worker = Worker.connect(settings, () -> LockSupport.unpark(tender));
    try {
      if (knownMaxBytes == 0) {
        learn();
      }
      return new Connection(
          worker,
          new Balloon(worker, this::freeBytes, settings.sliceBytes(), System::nanoTime),
          knownMaxBytes,
          knownVersion);
    } catch (StoreUnavailableException e) {
      worker.close();
      throw e;
    }
  }

  private void learn() throws StoreUnavailableException {
    try {
      WorkerInfo info = AlluxioClient.ask(settings.worker());
      knownVersion = info.getVersion();
      Long capacityBytes = info.getCapacityBytesOnTiers().get(settings.tierAlias());
      if (capacityBytes == null) {
        throw new IOException("the worker has no tier '" + settings.tierAlias() + "'");
      }
      knownMaxBytes = settings.maxBytes().orElse(capacityBytes);
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "the capacity of the Alluxio worker's tier cannot be learned: " + e.getMessage(), e);
    }
  }

  private void resize(Connection current) throws StoreUnavailableException, InterruptedException {
    long beforeBytes = current.balloon().reservedBytes();
    long toReserve = toReserve(current);
    Balloon.Outcome outcome = current.balloon().resize(toReserve, settings.budgetNanos());
    if (current.worker().isLost()) {
      throw new StoreUnavailableException("the Alluxio worker has just gone away", null);
    }
    long reservedBytes = current.balloon().reservedBytes();
    unevictableBytes =
        outcome == Balloon.Outcome.Refused ? Math.max(0, toReserve - reservedBytes) : 0;
    LOG.debug(
        "capacity {} -> {} bytes, wanted {}: {}",
        current.maxBytes() - beforeBytes,
        current.maxBytes() - reservedBytes,
        current.maxBytes() - toReserve,
        outcome);
  }

  /** Never more than there is: a worker asked for that evicts all it has, and then refuses. */
  private long toReserve(Connection current) {
    long least = Math.min(settings.minBytes(), current.maxBytes());
    return current.maxBytes() - Math.max(least, Math.min(current.maxBytes(), wantedBytes));
  }

  private long freeBytes() {
    Connection current = connection;
    return current == null
        ? 0
        : current.maxBytes() - current.balloon().reservedBytes() - directory.usedBytes();
  }
}
