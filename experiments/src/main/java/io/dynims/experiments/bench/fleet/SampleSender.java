package io.dynims.experiments.bench.fleet;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.MemoryReading;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Samples every node once per interval, with the nodes spread evenly over the interval, and sends
 * each sample or reports by exception.
 */
final class SampleSender implements AutoCloseable {

  private static final long STEP_NANOS = MILLISECONDS.toNanos(2);

  private final ModelNodes nodes;
  private final Ticks[] ticks;
  private final long intervalNanos;
  private final NodeSamples samples;

  /** By node; null if every sample is sent. */
  private final SendOnDelta[] exceptions;

  private final SampleLink link;
  private final Histogram lateMicros = new Histogram(60_000_000, 3);
  private final Thread thread = new Thread(this::run, "samples");
  private volatile boolean closed;

  SampleSender(
      ModelNodes nodes, SampleLink link, long intervalMillis, boolean byException, Ticks... ticks) {
    this.nodes = nodes;
    this.ticks = ticks;
    this.intervalNanos = MILLISECONDS.toNanos(intervalMillis);
    this.samples =
        byException ? NodeSamples.byException(nodes.count()) : new NodeSamples(nodes.count());
    this.exceptions = byException ? new SendOnDelta[nodes.count()] : null;
    for (int node = 0; byException && node < nodes.count(); node++) {
      exceptions[node] =
          new SendOnDelta(SendOnDelta.DEFAULT_TOLERANCE, SendOnDelta.DEFAULT_HEARTBEAT_MILLIS);
    }
    this.link = link;
  }

  void start() {
    thread.start();
  }

  /** How late samples were taken since the last call, in microseconds; resets the histogram. */
  Histogram drainLateMicros() {
    synchronized (lateMicros) {
      Histogram copy = lateMicros.copy();
      lateMicros.reset();
      return copy;
    }
  }

  private void run() {
    long startNanos = System.nanoTime();
    long done = 0;
    while (!closed) {
      long nowNanos = System.nanoTime();
      // The number due since the start; a late sender skips samples rather than sending a burst.
      long due = (long) ((nowNanos - startNanos) / (double) intervalNanos * nodes.count());
      if (due > done) {
        long nowMillis = System.currentTimeMillis();
        recordLate(nowNanos - startNanos - plannedNanos(done));
        for (long i = Math.max(done, due - nodes.count()); i < due; i++) {
          send((int) (i % nodes.count()), nowMillis);
        }
        done = due;
      }
      LockSupport.parkNanos(STEP_NANOS);
    }
  }

  private long plannedNanos(long sample) {
    return (long) ((sample + 1) * (double) intervalNanos / nodes.count());
  }

  private void recordLate(long lateNanos) {
    synchronized (lateMicros) {
      lateMicros.recordValue(Math.min(60_000_000, Math.max(0, NANOSECONDS.toMicros(lateNanos))));
    }
  }

  private void send(int node, long nowMillis) {
    long usedBytes = nodes.sample(node, nowMillis);
    if (exceptions != null && exceptions[node].report(reading(nowMillis, usedBytes)) == null) {
      return;
    }
    byte[] message = samples.encode(node, nowMillis, usedBytes);
    for (Ticks each : ticks) {
      each.sent(node, nowMillis);
    }
    link.send(node, message);
  }

  private static MemoryReading reading(long nowMillis, long usedBytes) {
    return new MemoryReading(
        "",
        nowMillis,
        MemoryReading.WHOLE,
        ModelNodes.TOTAL_BYTES,
        ModelNodes.TOTAL_BYTES - usedBytes);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
    link.close();
  }
}
