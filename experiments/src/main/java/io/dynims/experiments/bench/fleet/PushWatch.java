package io.dynims.experiments.bench.fleet;

import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Timings;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which controller has each adapter, by its term, as the adapters see it. A term belongs to one
 * controller only, and a lower one is refused.
 */
final class PushWatch {

  private final AtomicLongArray terms;

  /** When the first push of the current term came. */
  private final AtomicLongArray sinceNanos;

  private final AtomicLongArray lastNanos;
  private final AtomicLong refused = new AtomicLong();

  PushWatch(int nodes) {
    terms = new AtomicLongArray(nodes);
    sinceNanos = new AtomicLongArray(nodes);
    lastNanos = new AtomicLongArray(nodes);
  }

  /** Notes a push; false if another controller has the node since. */
  boolean accept(int node, long term, long nowNanos) {
    long known = terms.get(node);
    if (term < known) {
      refused.incrementAndGet();
      return false;
    }
    if (term > known) {
      sinceNanos.set(node, nowNanos);
      terms.set(node, term);
    }
    lastNanos.set(node, nowNanos);
    return true;
  }

  /** The number of pushes that were refused. */
  long refused() {
    return refused.get();
  }

  /** The number of nodes that were not pushed to since a time. */
  int notPushedSince(long nanos) {
    int nodes = 0;
    for (int node = 0; node < terms.length(); node++) {
      nodes += lastNanos.get(node) - nanos < 0 ? 1 : 0;
    }
    return nodes;
  }

  /** How long after a time the nodes whose controller has changed since were pushed to again. */
  Percentiles changedAfterMillis(long nanos) {
    Timings timings = new Timings();
    for (int node = 0; node < terms.length(); node++) {
      long afterNanos = sinceNanos.get(node) - nanos;
      if (afterNanos > 0) {
        timings.addNanos(afterNanos);
      }
    }
    return timings.millis();
  }
}
