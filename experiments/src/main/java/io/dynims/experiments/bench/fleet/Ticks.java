package io.dynims.experiments.bench.fleet;

import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Timings;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Records which samples were answered, and how late. One thread sends and another receives; only
 * samples sent during the measurement count.
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

  /** Records a sample. */
  void sent(int node, long sampledMillis) {
    if (measuring) {
      sentMillis.set(node * KEPT + sent[node]++ % KEPT, sampledMillis);
      counted.incrementAndGet();
    }
  }

  /** Records the answer to a sample; a second answer to the same sample is ignored. */
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

  /** The number of samples without an answer. */
  long missed() {
    return counted.get() - answered.get();
  }

  Percentiles millis() {
    return timings.millis();
  }
}
