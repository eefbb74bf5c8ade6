package io.dynims.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that is written every second while a job runs, for whoever has no other way to ask. */
final class ReadyFile implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReadyFile.class);
  private static final long POLL_MILLIS = 1_000;

  private final Path file;
  private final JobClient job;
  private final ScheduledExecutorService writer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "ready-file");
            thread.setDaemon(true);
            return thread;
          });
  private String lastFailure = "";
  private boolean closed;

  private ReadyFile(Path file, JobClient job) {
    this.file = file;
    this.job = job;
  }

  /**
   * Keeps a file up to date.
   *
   * @return ends that and removes the file
   */
  static ReadyFile keep(Path file, JobClient job) {
    ReadyFile ready = new ReadyFile(file, job);
    var unused =
        ready.writer.scheduleWithFixedDelay(ready::refresh, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
    return ready;
  }

  private synchronized void refresh() {
    if (closed) {
      return;
    }
    try {
      JobStatus status = job.getJobStatus().get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (status == JobStatus.RUNNING) {
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
