package io.dynims.experiments.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that uses memory like a job: it touches pages at a rate, keeps them, and frees them at
 * a rate. It prints {@code millis bytes} after every change, and exits when its standard input
 * ends, that is, when its parent dies.
 */
public final class MemoryBurst {

  /** Above the largest block that malloc keeps in its heap, so that freeing a chunk unmaps it. */
  static final long CHUNK_BYTES = 64L << 20;

  private static final long SLICE_BYTES = 4L << 20;
  private static final long NAP_NANOS = 5_000_000;

  private final NativeMemory memory = new NativeMemory();
  private final Deque<Long> chunks = new ArrayDeque<>();
  private final PrintStream out;
  private long heldBytes;

  private MemoryBurst(PrintStream out) {
    this.out = out;
  }

  /** Arguments: peak bytes, bytes per second up, plateau milliseconds, bytes per second down. */
  public static void main(String[] args) throws InterruptedException {
    if (args.length != 4) {
      System.err.println(
          "usage: MemoryBurst PEAK_BYTES UP_PER_SECOND PLATEAU_MILLIS DOWN_PER_SECOND");
      System.exit(2);
    }
    exitWithParent();
    preferForOutOfMemoryKiller();
    MemoryBurst burst = new MemoryBurst(System.out);
    burst.rise(Long.parseLong(args[0]), Long.parseLong(args[1]));
    Thread.sleep(Long.parseLong(args[2]));
    burst.fall(Long.parseLong(args[3]));
  }

  private void rise(long peakBytes, long bytesPerSecond) {
    long startNanos = System.nanoTime();
    while (heldBytes < peakBytes) {
      long within = heldBytes % CHUNK_BYTES;
      if (within == 0) {
        chunks.push(memory.allocate(CHUNK_BYTES));
      }
      long bytes = Math.min(SLICE_BYTES, peakBytes - heldBytes);
      memory.touch(chunks.element() + within, bytes);
      heldBytes += bytes;
      report();
      awaitDue(startNanos, heldBytes, bytesPerSecond);
    }
  }

  private void fall(long bytesPerSecond) {
    long startNanos = System.nanoTime();
    long peakBytes = heldBytes;
    while (!chunks.isEmpty()) {
      memory.free(chunks.pop());
      heldBytes = chunks.size() * CHUNK_BYTES;
      report();
      awaitDue(startNanos, peakBytes - heldBytes, bytesPerSecond);
    }
  }

  private void report() {
    out.println(System.currentTimeMillis() + " " + heldBytes);
    out.flush();
  }

  private static void awaitDue(long startNanos, long doneBytes, long bytesPerSecond) {
    long dueNanos = (long) (1e9 * doneBytes / bytesPerSecond);
    while (System.nanoTime() - startNanos < dueNanos) {
      LockSupport.parkNanos(NAP_NANOS);
    }
  }

  private static void exitWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // Only the end matters.
                }
              } catch (IOException e) {
                // Counts as the end.
              }
              Runtime.getRuntime().halt(0);
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  /** If memory runs out, the kernel should kill this process, not one of the node's services. */
  private static void preferForOutOfMemoryKiller() {
    try {
      Files.writeString(Path.of("/proc/self/oom_score_adj"), "1000");
    } catch (IOException e) {
      System.err.println("oom_score_adj: " + e.getMessage());
    }
  }
}
