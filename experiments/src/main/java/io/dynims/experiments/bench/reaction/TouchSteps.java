package io.dynims.experiments.bench.reaction;

import io.dynims.experiments.bench.Timings;
import io.dynims.experiments.demo.NativeMemory;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes memory as a job does, in steps at no particular moment of the loop's interval, and watches
 * the tier's tmpfs for what is given up. Nothing else may write to or delete from that tmpfs.
 */
final class TouchSteps {

  static final long STEP_BYTES = 128L << 20;

  /** Two blocks: one may be given up at any moment for what else happens on the node. */
  static final long FIRST_BYTES = STEP_BYTES / 4;

  private static final long POLL_NANOS = 250_000;
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final FileStore tmpfs;
  private final NativeMemory memory = new NativeMemory();
  private final Timings first = new Timings();
  private final Timings half = new Timings();
  private long steps;
  private long unanswered;

  /** Watches the tmpfs that a folder is in. */
  TouchSteps(Path folder) throws IOException {
    this.tmpfs = Files.getFileStore(folder);
  }

  /** From the first page of a step being touched until a quarter as many bytes are freed. */
  Timings first() {
    return first;
  }

  /** From the first page of a step being touched until half as many bytes are freed. */
  Timings half() {
    return half;
  }

  long steps() {
    return steps;
  }

  /** Steps after which not even half was freed within ten seconds. */
  long unanswered() {
    return unanswered;
  }

  /** Touches a step's pages, waits for the tier, and gives the pages back. */
  void step() throws IOException, InterruptedException {
    Watch watch = new Watch(tmpfs.getUnallocatedSpace());
    Thread thread = new Thread(watch, "touch-watch");
    thread.setDaemon(true);
    long address = memory.allocate(STEP_BYTES);
    try {
      thread.start();
      watch.begin = System.nanoTime();
      memory.touch(address, STEP_BYTES);
      thread.join();
    } finally {
      watch.closed = true;
      memory.free(address);
    }
    steps++;
    if (watch.firstNanos != 0) {
      first.addNanos(watch.firstNanos - watch.begin);
    }
    if (watch.halfNanos != 0) {
      half.addNanos(watch.halfNanos - watch.begin);
    } else {
      unanswered++;
    }
  }

  /** Looks while the pages are still being touched: the tier may be faster than that. */
  private final class Watch implements Runnable {

    private final long beforeBytes;
    private volatile long begin = System.nanoTime();
    private volatile boolean closed;
    private volatile long firstNanos;
    private volatile long halfNanos;

    Watch(long beforeBytes) {
      this.beforeBytes = beforeBytes;
    }

    @Override
    public void run() {
      try {
        while (!closed && halfNanos == 0 && System.nanoTime() - begin < GIVE_UP_NANOS) {
          long freedBytes = tmpfs.getUnallocatedSpace() - beforeBytes;
          if (freedBytes >= FIRST_BYTES && firstNanos == 0) {
            firstNanos = System.nanoTime();
          }
          if (freedBytes >= STEP_BYTES / 2) {
            halfNanos = System.nanoTime();
          }
          LockSupport.parkNanos(POLL_NANOS);
        }
      } catch (IOException e) {
        // Told as a step without an answer.
      }
    }
  }
}
