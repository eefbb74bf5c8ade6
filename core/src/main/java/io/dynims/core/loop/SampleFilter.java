package io.dynims.core.loop;

import io.dynims.core.wire.MemoryReading;

/**
 * Refuses readings that must not be acted on, and joins the parts of the stock plugin's readings.
 */
final class SampleFilter {

  static final long FUTURE_TOLERANCE_MILLIS = 5_000;

  /** Parts of different instants may arrive mixed, as collectd spreads them over partitions. */
  private static final int MAX_PENDING = 4;

  private final NodeLoopState node;

  SampleFilter(NodeLoopState node) {
    this.node = node;
  }

  /**
   * Why a reading must be dropped; null if it is to be used.
   *
   * <p>After a node's clock was set back, its readings could be out of order for a long time. So if
   * none has been accepted for as long as it takes readings to become stale, the next one is
   * accepted whatever its time. If the loop's clock was set back too, the wait is no longer than
   * the time that it was set back by.
   */
  Refusal refusal(MemoryReading reading, long nowMillis) {
    long staleAfterMillis = node.staleAfterMillis();
    long ageMillis = nowMillis - reading.sampledMillis();
    if (ageMillis < -FUTURE_TOLERANCE_MILLIS) {
      return Refusal.Future;
    }
    if (ageMillis > staleAfterMillis) {
      return Refusal.Stale;
    }
    if (node.hasPolicy() && reading.heartbeatMillis() >= staleAfterMillis) {
      return Refusal.SlowHeartbeat;
    }
    if (reading.isStock()
        && node.readerHeardMillis != 0
        && Math.abs(nowMillis - node.readerHeardMillis) < staleAfterMillis) {
      return Refusal.Superseded;
    }
    if (node.last == null || reading.sampledMillis() > node.last.sampledMillis()) {
      return null;
    }
    if (reading.sampledMillis() == node.last.sampledMillis()) {
      return Refusal.Repeated;
    }
    boolean longAgo = Math.abs(nowMillis - node.acceptedMillis) >= staleAfterMillis;
    return longAgo ? null : Refusal.OutOfOrder;
  }

  /**
   * Adds a reading to the parts of its instant.
   *
   * @return the complete reading, or null while parts are missing
   */
  MemoryReading join(MemoryReading reading) {
    if (reading.isComplete()) {
      return reading;
    }
    for (int i = 0; i < node.pending.size(); i++) {
      if (node.pending.get(i).sampledMillis() == reading.sampledMillis()) {
        MemoryReading joined = node.pending.get(i).plus(reading);
        if (joined.isComplete()) {
          node.pending.remove(i);
          return joined;
        }
        node.pending.set(i, joined);
        return null;
      }
    }
    node.pending.add(reading);
    return null;
  }

  /** Makes room for new instants; returns how many incomplete readings were given up. */
  int dropOverdueParts() {
    int overdue = Math.max(0, node.pending.size() - MAX_PENDING);
    node.pending.subList(0, overdue).clear();
    return overdue;
  }

  /** Drops the parts that a newer reading outdates; returns how many readings they were of. */
  int dropOutdatedParts(MemoryReading newer) {
    int before = node.pending.size();
    if (before > 0) {
      node.pending.removeIf(parts -> parts.sampledMillis() <= newer.sampledMillis());
    }
    return before - node.pending.size();
  }
}
