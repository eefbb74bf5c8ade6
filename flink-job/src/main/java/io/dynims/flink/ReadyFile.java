package io.dynims.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that is written every second while a job runs, for whoever has no other way to ask. */
final class ReadyFile implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReadyFile.class);

  /** How often the file is written, and how long an answer may take. */
  static final long POLL_MILLIS = 1_000;

  private final Path file;
  private final Supplier<CompletableFuture<Boolean>> runs;
  private final ScheduledExecutorService writer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "ready-file");
            thread.setDaemon(true);
            return thread;
          });
  private String lastFailure = "";
  private boolean closed;

  private ReadyFile(Path file, Supplier<CompletableFuture<Boolean>> runs) {
    this.file = file;
    this.runs = runs;
  }

  /**
   * Keeps a file up to date.
   *
   * @param runs asks whether the job runs
   * @return ends that and removes the file
   */
  static ReadyFile keep(Path file, Supplier<CompletableFuture<Boolean>> runs) {
    ReadyFile ready = new ReadyFile(file, runs);
    var unused =
        ready.writer.scheduleWithFixedDelay(ready::refresh, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
    return ready;
  }

  private synchronized void refresh() {
    if (closed) {
      return;
    }
    try {
      if (runs.get().get(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        Files.writeString(file, Instant.now() + "\n");
      } else {
        Files.deleteIfExists(file);
      }
      lastFailure = "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | IOException e) {
      if (!lastFailure.equals(e.toString())) {
        LOG.warn("cannot keep ready.file {} up to date: {}", file, e.toString());
      }
      lastFailure = e.toString();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    writer.shutdown();
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("cannot remove ready.file {}: {}", file, e.toString());
    }
  }
}
