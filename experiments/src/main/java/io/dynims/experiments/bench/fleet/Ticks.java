package io.dynims.experiments.bench.fleet;

import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Timings;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which samples were answered, and how late. One thread sends and another hears; only samples sent
 * while it is measured count.
 */
final class Ticks {

  private static final int KEPT = 64;

  private final AtomicLongArray sentMillis;
  private final int[] sent;
  private final Timings timings = new Timings();
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
        timings.addMillis(nowMillis - sampledMillis);
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

  Percentiles millis() {
    return timings.millis();
  }
}
