package io.dynims.experiments.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that uses memory like a job: it touches and frees pages so that it holds what a profile
 * says. It prints {@code millis bytes} when it starts and after every change, and exits at the end
 * of the profile or when its standard input ends, that is, when its parent dies.
 */
public final class MemoryLoad {

  /**
   * Each chunk is mapped by itself, so freeing it unmaps it. After the first one is freed, that
   * needs {@link #MALLOC_SETTING}.
   */
  static final long CHUNK_BYTES = 1L << 20;

  /** The environment variable that keeps malloc from raising the size from which it maps memory. */
  static final String MALLOC_SETTING = "MALLOC_MMAP_THRESHOLD_";

  private static final int CHUNKS_PER_SLICE = 4;
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final NativeMemory memory = new NativeMemory();
  private final Deque<Long> chunks = new ArrayDeque<>();
  private final LoadProfile profile;
  private final PrintStream out;

  private MemoryLoad(LoadProfile profile, PrintStream out) {
    this.profile = profile;
    this.out = out;
  }

  /** Arguments: the points of a {@link LoadProfile}, {@code MILLIS:BYTES}. */
  public static void main(String[] args) {
    LoadProfile profile = null;
    try {
      profile = LoadProfile.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("usage: MemoryLoad MILLIS:BYTES ...: " + e.getMessage());
      System.exit(2);
    }
    exitWithParent();
    preferForOutOfMemoryKiller();
    new MemoryLoad(profile, System.out).run();
  }

  /**
   * Visits every point, in order. A machine too slow for the profile makes the load late, but never
   * leaves out a piece of it.
   */
  private void run() {
    long startNanos = System.nanoTime();
    report();
    for (LoadProfile.Point point : profile.points()) {
      long millis = elapsedMillis(startNanos);
      while (millis < point.millis()) {
        long wanted = chunks(profile.bytesAt(millis));
        if (wanted == chunks.size()) {
          LockSupport.parkNanos(NAP_NANOS);
        } else {
          moveTo(wanted);
        }
        millis = elapsedMillis(startNanos);
      }
      moveTo(chunks(point.bytes()));
    }
  }

  private static long elapsedMillis(long startNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  private static long chunks(long bytes) {
    return Math.round((double) bytes / CHUNK_BYTES);
  }

  /** Reports after each slice, because a jump takes a while. */
  private void moveTo(long wantedChunks) {
    while (chunks.size() != wantedChunks) {
      for (int i = 0; i < CHUNKS_PER_SLICE && chunks.size() != wantedChunks; i++) {
        if (chunks.size() < wantedChunks) {
          long address = memory.allocate(CHUNK_BYTES);
          memory.touch(address, CHUNK_BYTES);
          chunks.push(address);
        } else {
          memory.free(chunks.pop());
        }
      }
      report();
    }
  }

  private void report() {
    out.println(System.currentTimeMillis() + " " + chunks.size() * CHUNK_BYTES);
    out.flush();
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
