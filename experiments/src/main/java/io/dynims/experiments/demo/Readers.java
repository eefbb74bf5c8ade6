package io.dynims.experiments.demo;

import alluxio.exception.AlluxioException;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Continuously reads random blocks of a data set and checks every byte. */
public final class Readers implements AutoCloseable {

  /** Without a limit. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(Readers.class);
  private static final int THREADS = 2;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long PAUSE_MILLIS = 20;

  private final DataSet data;
  private final AtomicLong ok = new AtomicLong();
  private final AtomicLong corrupt = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread[] threads = new Thread[THREADS];
  private volatile long bytesPerSecond;
  private volatile int readableBlocks;

  /** Starts the readers; they read once {@link #pace} is called. */
  public Readers(DataSet data, long seed) {
    this.data = data;
    this.readableBlocks = data.blocks();
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

  /** Reads only the first blocks of the data set, 1 to all of them. */
  public void limitTo(int newReadableBlocks) {
    readableBlocks = newReadableBlocks;
  }

  /** Blocks read with the correct bytes. */
  public long ok() {
    return ok.get();
  }

  /** Blocks read with wrong bytes. */
  public long corrupt() {
    return corrupt.get();
  }

  /** Blocks that could not be read. */
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
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      long nextNanos = System.nanoTime();
      while (!isClosed(0)) {
        long pace = bytesPerSecond;
        if (pace <= 0 || (pace != UNLIMITED && System.nanoTime() - nextNanos < 0)) {
          isClosed(PAUSE_MILLIS);
          continue;
        }
        nextNanos = System.nanoTime() + (long) (1e9 * DataSet.BLOCK_BYTES * THREADS / pace);
        readOne(random.nextInt(readableBlocks), buffer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readOne(int block, byte[] buffer) {
    try {
      if (data.verify(block, buffer)) {
        ok.incrementAndGet();
      } else {
        corrupt.incrementAndGet();
        LOG.error("block {} was read with wrong bytes", block);
      }
    } catch (IOException | AlluxioException | RuntimeException e) {
      failed.incrementAndGet();
      LOG.warn("block {} could not be read: {}", block, e.toString());
    }
  }

  private boolean isClosed(long waitMillis) throws InterruptedException {
    return closed.await(waitMillis, TimeUnit.MILLISECONDS);
  }
}
