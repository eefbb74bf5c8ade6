package io.dynims.experiments.bench.fleet;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/**
 * How many nodes of a fleet something has happened to, and when it had happened to all.
 * Thread-safe.
 */
final class Coverage {

  private final int count;
  private final BitSet nodes = new BitSet();
  private int covered;
  private long beginNanos;
  private Long allNanos;

  /** No node of so many. */
  Coverage(int count) {
    this.count = count;
  }

  /** Starts the time. */
  synchronized void begin(long nowNanos) {
    beginNanos = nowNanos;
  }

  /** Records that it has happened to a node, now. */
  void add(int node) {
    add(node, System.nanoTime());
  }

  synchronized void add(int node, long nowNanos) {
    if (!nodes.get(node)) {
      nodes.set(node);
      covered++;
      if (covered == count) {
        allNanos = nowNanos;
      }
    }
  }

  /** The number of nodes that it has happened to. */
  synchronized int nodes() {
    return covered;
  }

  /** The seconds from the beginning until it had happened to all nodes; null if it has not yet. */
  synchronized Double seconds() {
    return allNanos == null ? null : TimeUnit.NANOSECONDS.toMillis(allNanos - beginNanos) / 1_000.0;
  }
}
