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
 * Allocates memory in steps, like a job, and measures when the tier's tmpfs shrinks. Nothing else
 * may write to that tmpfs or delete from it.
 */
final class TouchSteps {

  static final long STEP_BYTES = 128L << 20;

  /** Two blocks: one may be evicted at any moment because of other load on the node. */
  static final long FIRST_BYTES = STEP_BYTES / 4;

  private static final long POLL_NANOS = 250_000;
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final FileStore tmpfs;
  private final NativeMemory memory = new NativeMemory();
  private final Timings first = new Timings();
  private final Timings half = new Timings();
  private long steps;
  private long unanswered;

  /** Watches the tmpfs of a folder. */
  TouchSteps(Path folder) throws IOException {
    this.tmpfs = Files.getFileStore(folder);
  }

  /** From the first touched page of a step until a quarter of its size is freed. */
  Timings first() {
    return first;
  }

  /** From the first touched page of a step until half of its size is freed. */
  Timings half() {
    return half;
  }

  long steps() {
    return steps;
  }

  /** The steps after which less than half was freed within ten seconds. */
  long unanswered() {
    return unanswered;
  }

  /** Touches the pages of a step, waits for the tier, and frees the pages. */
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

  /** Runs while the pages are being touched, because the tier may react before all are. */
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
        // Reported as a step without an answer.
      }
    }
  }
}
