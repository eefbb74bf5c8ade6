package io.dynims.experiments.bench.fleet;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * Which samples were answered, and how late. One thread sends and another hears; only samples sent
 * while it is measured count.
 */
final class Ticks {

  private static final int KEPT = 64;
  private static final long MAX_MILLIS = 60_000;

  private final AtomicLongArray sentMillis;
  private final int[] sent;
  private final Histogram millis = new Histogram(MAX_MILLIS, 3);
  private final AtomicLong counted = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private volatile boolean measuring;

  Ticks(int nodes) {
    sentMillis = new AtomicLongArray(nodes * KEPT);
    sent = new int[nodes];
  }

  void measure(boolean measure) {
    measuring = measure;
  }

  /** Notes a sample. */
  void sent(int node, long sampledMillis) {
    if (measuring) {
      sentMillis.set(node * KEPT + sent[node]++ % KEPT, sampledMillis);
      counted.incrementAndGet();
    }
  }

  /** Notes what a sample led to; the second word about the same one counts for nothing. */
  void answered(int node, long sampledMillis, long nowMillis) {
    for (int i = node * KEPT; i < (node + 1) * KEPT; i++) {
      if (sentMillis.get(i) == sampledMillis && sentMillis.compareAndSet(i, sampledMillis, 0)) {
        answered.incrementAndGet();
        synchronized (millis) {
          millis.recordValue(Math.min(MAX_MILLIS, Math.max(0, nowMillis - sampledMillis)));
        }
        return;
      }
    }
  }

  long counted() {
    return counted.get();
  }

  /** Samples that nothing was heard of. */
  long missed() {
    return counted.get() - answered.get();
  }

  Histogram millis() {
    synchronized (millis) {
      return millis.copy();
    }
  }
}
