package io.dynims.experiments.demo;

import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Samples this machine's memory, so that the demo does not depend on what the loop reports. */
final class MemorySampler implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MemorySampler.class);
  private static final long INTERVAL_MILLIS = 25;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "memory-sampler"));
  private final UtilizationTrace trace = new UtilizationTrace();
  private final Clock clock;
  private volatile long usedBytes;

  MemorySampler(Clock clock) {
    this.clock = clock;
    sample();
    var unused =
        timer.scheduleAtFixedRate(
            this::sample, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  UtilizationTrace trace() {
    return trace;
  }

  /** Memory in use at the last sample. */
  long usedBytes() {
    return usedBytes;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private void sample() {
    try {
      usedBytes = NodeMemoryReader.now().usedBytes();
      trace.add(clock.millis(), usedBytes);
    } catch (IOException e) {
      LOG.warn("no memory sample: {}", e.toString());
    }
  }
}
