package io.dynims.core.loop;

import io.dynims.core.wire.MemoryReading;

/** Refuses readings that must not be acted on. */
final class SampleFilter {

  static final long FUTURE_TOLERANCE_MILLIS = 5_000;

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
    Refusal refusal = find(reading, nowMillis);
    // A time ahead of the clock is from before it was set back.
    boolean isAhead = node.readerHeardMillis > nowMillis;
    node.readerHeardMillis = reading.isStock() ? (isAhead ? 0 : node.readerHeardMillis) : nowMillis;
    return refusal;
  }

  private Refusal find(MemoryReading reading, long nowMillis) {
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
    if (reading.isStock() && isReaderHeard(nowMillis)) {
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

  /** Whether the shipped reader, which knows more, has sent a reading lately. */
  private boolean isReaderHeard(long nowMillis) {
    return node.readerHeardMillis != 0
        && Math.abs(nowMillis - node.readerHeardMillis) < node.staleAfterMillis();
  }
}
