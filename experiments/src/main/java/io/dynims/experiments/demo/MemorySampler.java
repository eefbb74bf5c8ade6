package io.dynims.experiments.demo;

import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Samples memory in use, so that a measurement does not depend on what the loop reports. */
public final class MemorySampler implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MemorySampler.class);
  private static final long INTERVAL_MILLIS = 25;

  /** Where the memory in use is read. */
  public interface Source {
    long usedBytes() throws IOException;
  }

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "memory-sampler"));
  private final UtilizationTrace trace = new UtilizationTrace();
  private final Clock clock;
  private final Source source;
  private volatile long usedBytes;

  /** Samples 40 times a second. */
  MemorySampler(Clock clock, Source source) {
    this(clock, INTERVAL_MILLIS, source);
  }

  /**
   * Samples from now on.
   *
   * @param intervalMillis the time between two samples, above 0
   */
  public MemorySampler(Clock clock, long intervalMillis, Source source) {
    this.clock = clock;
    this.source = source;
    sample();
    var unused =
        timer.scheduleAtFixedRate(
            this::sample, intervalMillis, intervalMillis, TimeUnit.MILLISECONDS);
  }

  /** The samples. */
  public UtilizationTrace trace() {
    return trace;
  }

  /** Memory in use at the last sample. */
  public long usedBytes() {
    return usedBytes;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  public static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private void sample() {
    try {
      usedBytes = source.usedBytes();
      trace.add(clock.millis(), usedBytes);
    } catch (IOException e) {
      LOG.warn("no memory sample: {}", e.toString());
    }
  }
}
