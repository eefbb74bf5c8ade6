package io.dynims.adapter;

import alluxio.client.block.stream.BlockWorkerClient;
import alluxio.master.block.BlockId;
import io.dynims.tier.StoreUnavailableException;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * A connection to the worker, from when it is there until it goes away; then another is made. For
 * one thread at a time, except {@link #isLost}.
 */
final class Worker implements Reserver, AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(Worker.class);
  private static final int PROBE_TIMEOUT_MILLIS = 500;
  private static final int SPARES = 8;
  private static final int FEW_SPARES = 2;
  private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(3);

  /**
   * Containers of real blocks are numbered from 1 by the master, so the upper half of the 40 bits
   * stays free; a random part tells two adapters, or an old and a new one, apart.
   */
  private static final long FIRST_CONTAINER = 1L << 39;

  private final BlockWorkerClient client;
  private final Path directory;
  private final Runnable onLost;
  private final long container =
      FIRST_CONTAINER | ThreadLocalRandom.current().nextLong(FIRST_CONTAINER);
  private final AtomicLong blocks = new AtomicLong();
  private volatile boolean lost;

  /**
   * Opened ahead, the oldest first: a reservation that the worker has already made room for costs
   * one exchange on the way, not two. Their end is the end of the connection, also when nothing is
   * reserved.
   */
  private final Deque<Reservation> spares = new ArrayDeque<>();

  private Worker(BlockWorkerClient client, Path directory, Runnable onLost) {
    this.client = client;
    this.directory = directory;
    this.onLost = onLost;
  }

  /**
   * Connects.
   *
   * @param onLost called, on a thread that must not be held up, when the connection has ended
   * @throws StoreUnavailableException when the worker is away, or its tier is another one
   */
  static Worker connect(Settings settings, Runnable onLost)
      throws StoreUnavailableException, InterruptedException {
    try {
      // The client retries by itself for long, and backs off; a closed port is told apart at once.
      try (Socket probe = new Socket()) {
        InetSocketAddress address = settings.worker();
        probe.connect(
            new InetSocketAddress(address.getHostString(), address.getPort()),
            PROBE_TIMEOUT_MILLIS);
      }
      Worker worker =
          new Worker(AlluxioClient.connect(settings.worker()), settings.directory(), onLost);
      worker.watch();
      return worker;
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "the Alluxio worker at " + settings.worker() + " is away: " + e.getMessage(), e);
    }
  }

  private void watch() throws IOException, InterruptedException {
    restock();
    Reservation.Answer answer = spares.element().settle(ANSWER_TIMEOUT_NANOS);
    if (answer == Reservation.Answer.Misplaced) {
      LOG.warn(
          "the worker put a block outside {}: either that is not its top tier's directory, or the"
              + " tier is full and there is a lower one",
          directory);
    } else if (answer != Reservation.Answer.Granted) {
      close();
      throw new IOException("it does not let blocks be created (" + answer + ")");
    }
  }

  /** A small resize takes what is there; a large one opens the next ones as it goes on. */
  @Override
  public Reservation open() {
    spares.removeIf(Reservation::isEnded);
    if (spares.size() <= FEW_SPARES) {
      restock();
    }
    return spares.remove();
  }

  /** Opens ahead again, in place of what was used. */
  void restock() {
    while (spares.size() < SPARES) {
      spares.add(newReservation());
    }
  }

  private Reservation newReservation() {
    long blockId = BlockId.createBlockId(container, blocks.incrementAndGet());
    return new BlockReservation(client, blockId, file -> file.startsWith(directory), this::lose);
  }

  /** Whether the connection has ended. */
  boolean isLost() {
    return lost;
  }

  private void lose(Status status) {
    if (!lost) {
      lost = true;
      LOG.warn("the connection to the worker has ended: {}", status);
      onLost.run();
    }
  }

  @Override
  public void close() {
    boolean answers = !lost;
    lost = true;
    try {
      spares.forEach(Reservation::release);
      for (Reservation spare : spares) {
        if (answers) {
          spare.awaitReleased(TimeUnit.SECONDS.toNanos(1));
        }
      }
      client.close();
    } catch (IOException e) {
      LOG.debug("closing the connection to the worker", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
