package io.dynims.adapter.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Clients that read random keys, check their values, and write what the server has lost, until they
 * have read often enough and are told to stop.
 */
final class CheckedReaders {

  private static final int CLIENTS = 4;

  private final int keys;
  private final long least;
  private final List<Thread> clients = new ArrayList<>();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong misses = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicReference<Exception> error = new AtomicReference<>();
  private volatile boolean stopping;

  /**
   * Starts them.
   *
   * @param client a new one for each
   * @param keys how many keys there are
   * @param least how many reads there have to be, by all together
   */
  CheckedReaders(Callable<CheckedValues> client, int keys, long least) {
    this.keys = keys;
    this.least = least;
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      Thread thread = new Thread(() -> run(client, random), "checked-reader-" + i);
      clients.add(thread);
      thread.start();
    }
  }

  private void run(Callable<CheckedValues> client, SplittableRandom random) {
    try (CheckedValues values = client.call()) {
      while (!(stopping && isEnough())) {
        readOrWrite(values, random.nextInt(keys));
      }
    } catch (Exception e) {
      error.compareAndSet(null, e);
    }
  }

  private void readOrWrite(CheckedValues values, int key) throws Exception {
    reads.incrementAndGet();
    try {
      if (!values.read(key)) {
        misses.incrementAndGet();
        values.write(key);
      }
    } catch (AssertionError e) {
      wrong.incrementAndGet();
    }
  }

  /** Whether there are enough reads, or no more will be as a client has failed. */
  boolean isEnough() {
    return error.get() != null || reads.get() >= least;
  }

  /** Ends them when they have read enough. */
  void end() throws InterruptedException {
    stopping = true;
    for (Thread client : clients) {
      client.join();
    }
  }

  long reads() {
    return reads.get();
  }

  long misses() {
    return misses.get();
  }

  /** Values that did not follow from their key. */
  long wrong() {
    return wrong.get();
  }

  /** The first that a client has seen, which ends that client; null if there was none. */
  Exception error() {
    return error.get();
  }
}
