package io.dynims.experiments.bench.resize;

import alluxio.exception.AlluxioException;
import io.dynims.experiments.bench.Timings;
import io.dynims.experiments.demo.DataSet;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Two readers that read random blocks from the end of a data set, with a pause after each, check
 * every byte and record the duration of each block.
 */
final class HotReaders implements AutoCloseable {

  private static final int THREADS = 2;
  private static final long PAUSE_AT_MOST_MILLIS = 30;
  private static final long IDLE_MILLIS = 5;

  private final DataSet data;
  private final int hotBlocks;
  private final AtomicLong wrong = new AtomicLong();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread[] threads = new Thread[THREADS];
  private volatile Timings timings;
  private volatile boolean reading;

  HotReaders(DataSet data, int hotBlocks, long seed) {
    this.data = data;
    this.hotBlocks = hotBlocks;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom own = random.split();
      threads[i] = new Thread(() -> read(own), "hot-reader-" + i);
      threads[i].setDaemon(true);
      threads[i].start();
    }
  }

  /**
   * Resumes reading and records reads that start from now on; with null, reads without recording.
   */
  void read(Timings newTimings) {
    timings = newTimings;
    reading = true;
  }

  void pause() {
    reading = false;
    timings = null;
  }

  /** Blocks that could not be read, or had wrong bytes. */
  long wrong() {
    return wrong.get();
  }

  @Override
  public void close() throws InterruptedException {
    closed.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void read(SplittableRandom random) {
    byte[] buffer = new byte[1 << 20];
    try {
      while (!closed.await(
          reading ? random.nextLong(PAUSE_AT_MOST_MILLIS) : IDLE_MILLIS, TimeUnit.MILLISECONDS)) {
        if (reading) {
          readOne(data.items() - 1 - random.nextInt(hotBlocks), buffer);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readOne(int block, byte[] buffer) {
    Timings begunIn = timings;
    long startNanos = System.nanoTime();
    boolean right;
    try {
      right = data.verify(block, buffer);
    } catch (IOException | AlluxioException | RuntimeException e) {
      right = false;
    }
    if (!right) {
      wrong.incrementAndGet();
    }
    if (begunIn != null) {
      begunIn.addNanos(System.nanoTime() - startNanos);
    }
  }
}
