package io.dynims.experiments.demo;

import io.dynims.experiments.demo.TierLoad.Outcome;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Continuously reads random items of a load and checks every byte. */
public final class Readers implements AutoCloseable {

  /** Without a limit. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(Readers.class);
  private static final int THREADS = 2;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final TierLoad load;
  private final AtomicLong ok = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();
  private final AtomicLong corrupt = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread[] threads = new Thread[THREADS];
  private volatile long bytesPerSecond;
  private volatile int readableItems;

  /** Starts the readers; they read once {@link #pace} is called. */
  public Readers(TierLoad load, long seed) {
    this.load = load;
    this.readableItems = load.items();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom own = random.split();
      threads[i] = MemorySampler.daemon(() -> read(own), "reader-" + i);
      threads[i].start();
    }
  }

  /** Limits the total read rate; 0 pauses all readers. */
  public void pace(long newBytesPerSecond) {
    bytesPerSecond = newBytesPerSecond;
  }

  /** Reads only the first items, 1 to all of them. */
  public void limitTo(int newReadableItems) {
    readableItems = newReadableItems;
  }

  /** Items read with the correct bytes. */
  public long ok() {
    return ok.get();
  }

  /** Items that the tier did not have. */
  public long missed() {
    return missed.get();
  }

  /** Items read with wrong bytes. */
  public long corrupt() {
    return corrupt.get();
  }

  /** Items that could not be read. */
  public long failed() {
    return failed.get();
  }

  @Override
  public void close() throws InterruptedException {
    closed.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void read(SplittableRandom random) {
    try (TierLoad.Session session = load.session()) {
      long nextNanos = System.nanoTime();
      while (!isClosed(0)) {
        long pace = bytesPerSecond;
        long waitNanos = pace == UNLIMITED ? 0 : nextNanos - System.nanoTime();
        if (pace <= 0 || waitNanos > 0) {
          isClosed(pace <= 0 ? PAUSE_NANOS : Math.min(PAUSE_NANOS, waitNanos));
          continue;
        }
        nextNanos = System.nanoTime() + (long) (1e9 * load.itemBytes() * THREADS / pace);
        readOne(session, random.nextInt(readableItems));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readOne(TierLoad.Session session, int item) throws InterruptedException {
    try {
      Outcome outcome = session.read(item);
      counter(outcome).incrementAndGet();
      if (outcome == Outcome.Wrong) {
        LOG.error("item {} was read with wrong bytes", item);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed.incrementAndGet();
      LOG.warn("item {} could not be read: {}", item, e.toString());
      isClosed(PAUSE_NANOS);
    }
  }

  private AtomicLong counter(Outcome outcome) {
    return switch (outcome) {
      case Correct -> ok;
      case Missed -> missed;
      case Wrong -> corrupt;
    };
  }

  private boolean isClosed(long waitNanos) throws InterruptedException {
    return closed.await(waitNanos, TimeUnit.NANOSECONDS);
  }
}
