package io.dynims.adapter;

import alluxio.client.block.stream.BlockWorkerClient;
import alluxio.master.block.BlockId;
import io.dynims.tier.StoreUnavailableException;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * One connection to the worker, from its start until it is lost or closed; opens the reservations.
 * Not thread-safe, except {@link #isLost}, {@link #isShown}, {@link #probe}, {@link #isSilent},
 * {@link #takeMisplaced}, {@link #abandon} and {@link #hold}.
 */
final class WorkerConnection implements Reserver, AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(WorkerConnection.class);
  private static final int CONNECT_TIMEOUT_MILLIS = 500;
  private static final int MAX_SPARES = 8;
  private static final int MIN_SPARES = 2;
  private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long PROBE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(900);
  private static final long SILENT_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final long RELEASE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The master numbers the containers of real blocks from 1, so the upper half of the 40 bits stays
   * free. A random part separates this adapter from another one, and from an earlier run.
   */
  private static final long FIRST_CONTAINER = 1L << 39;

  private final BlockWorkerClient client;
  private final WorkerFolder folder;
  private final Runnable onLost;
  private final long container =
      FIRST_CONTAINER | ThreadLocalRandom.current().nextLong(FIRST_CONTAINER);
  private final AtomicLong blocks = new AtomicLong();
  private volatile boolean lost;

  /** A folder in which the worker put a block instead of the tier's; null if there is none. */
  private final AtomicReference<Path> misplaced = new AtomicReference<>();

  /**
   * Empty reservations opened ahead of use, the oldest first. Using one costs one exchange with the
   * worker instead of two. Their streams also show that the connection is lost, even when nothing
   * is reserved.
   */
  private final Deque<Reservation> spares = new ArrayDeque<>();

  /** An empty reservation that asks for nothing, again and again, to see whether it is answered. */
  private volatile BlockReservation pulse;

  private volatile long pulseNanos;

  private WorkerConnection(BlockWorkerClient client, WorkerFolder folder, Runnable onLost) {
    this.client = client;
    this.folder = folder;
    this.onLost = onLost;
  }

  /**
   * Connects to the worker.
   *
   * @param onLost called once when the connection is lost, on a thread that must not block
   * @throws StoreUnavailableException if the worker is unavailable or accepts no blocks
   */
  static WorkerConnection open(Settings settings, Runnable onLost)
      throws StoreUnavailableException, InterruptedException {
    try {
      checkPort(settings.worker());
      WorkerConnection connection =
          new WorkerConnection(AlluxioClient.connect(settings.worker()), settings.folder(), onLost);
      try {
        connection.openFirstBlocks();
        return connection;
      } catch (IOException e) {
        connection.close();
        throw e;
      }
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "the Alluxio worker at " + settings.worker() + " is unavailable: " + e.getMessage(), e);
    }
  }

  /** Alluxio's client retries for a long time; a plain socket fails at once on a closed port. */
  private static void checkPort(InetSocketAddress worker) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(worker.getHostString(), worker.getPort()), CONNECT_TIMEOUT_MILLIS);
    }
  }

  private void openFirstBlocks() throws IOException, InterruptedException {
    openPulse();
    refillSpares();
    Reservation.Answer answer = pulse.awaitAnswer(ANSWER_TIMEOUT_NANOS);
    if (answer != Reservation.Answer.Granted && answer != Reservation.Answer.Misplaced) {
      throw new IOException("it does not accept blocks (" + answer + ")");
    }
  }

  /** Whether this process sees a block of the worker's, if there is one in the tier's folder. */
  boolean isShown() {
    BlockReservation block = pulse;
    Path file = block.file();
    return file == null || Files.exists(file) || block.isEnded();
  }

  /**
   * A folder in which the worker put a block since the last call instead of the tier's; or null.
   */
  Path takeMisplaced() {
    return misplaced.getAndSet(null);
  }

  /** Takes a spare. A large resize uses up the spares and opens new ones on the way. */
  @Override
  public Reservation open() {
    spares.removeIf(Reservation::isEnded);
    if (spares.size() <= MIN_SPARES) {
      refillSpares();
    }
    return spares.remove();
  }

  /** Opens reservations in place of those that were used; does not wait for the worker. */
  void refillSpares() {
    while (spares.size() < MAX_SPARES) {
      spares.add(newReservation());
    }
  }

  /** Keeps the worker from evicting a block; does not wait for it. Thread-safe. */
  Hold hold(long blockId) {
    return new BlockHold(client, blockId);
  }

  /** Asks the worker for a sign of life if the last one is old; does not wait for it. */
  synchronized void probe() {
    if (lost || pulse.isAnswerPending() || nanosSincePulse() < PROBE_INTERVAL_NANOS) {
      return;
    }
    if (pulse.isEnded()) {
      openPulse();
    } else {
      pulseNanos = System.nanoTime();
      pulse.request(0);
    }
  }

  private void openPulse() {
    pulseNanos = System.nanoTime();
    pulse = newReservation();
  }

  /** Whether the worker owes a sign of life: it hangs. Ends by itself when the worker answers. */
  boolean isSilent() {
    return pulse.isAnswerPending() && nanosSincePulse() > SILENT_AFTER_NANOS;
  }

  private long nanosSincePulse() {
    return System.nanoTime() - pulseNanos;
  }

  private BlockReservation newReservation() {
    long blockId = BlockId.createBlockId(container, blocks.incrementAndGet());
    return new BlockReservation(client, blockId, this::ownPath, this::connectionLost);
  }

  private Optional<Path> ownPath(Path workersFile) {
    Optional<Path> own = folder.ownPath(workersFile);
    if (own.isEmpty()) {
      misplaced.set(WorkerFolder.folderOf(workersFile));
    }
    return own;
  }

  /** Whether the connection is lost or closed. */
  boolean isLost() {
    return lost;
  }

  /** Takes the connection for lost: it cannot be used. */
  void abandon() {
    lost = true;
    onLost.run();
  }

  private void connectionLost(Status status) {
    if (!lost) {
      lost = true;
      LOG.warn("connection to the worker lost: {}", status);
      onLost.run();
    }
  }

  @Override
  public void close() {
    boolean workerAnswers = !lost && !isSilent();
    lost = true;
    try {
      pulse.release();
      spares.forEach(Reservation::release);
      if (workerAnswers) {
        long deadlineNanos = System.nanoTime() + RELEASE_TIMEOUT_NANOS;
        for (Reservation spare : spares) {
          spare.awaitReleased(deadlineNanos - System.nanoTime());
        }
        pulse.awaitReleased(deadlineNanos - System.nanoTime());
      }
      client.close();
    } catch (IOException e) {
      LOG.debug("cannot close the connection to the worker cleanly", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
