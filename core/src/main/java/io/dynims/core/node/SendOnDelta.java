package io.dynims.core.node;

import io.dynims.core.wire.MemoryReading;

/**
 * Decides which samples a node sends that reports by exception, as the collectd reader does: those
 * that differ from the last one sent by more than a tolerance, and one whenever a heartbeat is due.
 * It has the samples' clock only, which may be set; the reader goes by one that never is.
 */
public final class SendOnDelta {

  /** A thousandth of the node's memory. */
  public static final double DEFAULT_TOLERANCE = 0.001;

  public static final long DEFAULT_HEARTBEAT_MILLIS = 500;

  /** The share of the time in which tasks may wait for memory without a report. */
  private static final double MAX_STALLED = 0.01;

  private final double tolerance;
  private final long heartbeatMillis;
  private MemoryReading sent;
  private long lastMillis;

  /**
   * A node that has sent nothing.
   *
   * @param tolerance by how much of the node's memory the memory in use or the tier may change
   *     without a report, from 0 to 1
   * @param heartbeatMillis the longest time without a report, above 0
   */
  public SendOnDelta(double tolerance, long heartbeatMillis) {
    this.tolerance = tolerance;
    this.heartbeatMillis = heartbeatMillis;
  }

  /** Takes a sample; returns the reading to send, or null if it is left out. */
  public MemoryReading report(MemoryReading sample) {
    long toleranceBytes = (long) (tolerance * sample.totalBytes());
    boolean due = sent == null || isHeartbeatDue(sample) || differs(sample, toleranceBytes);
    lastMillis = sample.sampledMillis();
    if (!due) {
      return null;
    }
    sent = sample;
    return new MemoryReading(
        sample.node(),
        sample.sampledMillis(),
        sample.parts(),
        sample.totalBytes(),
        sample.availableBytes(),
        sample.tierUse(),
        sample.stalledMicros(),
        heartbeatMillis,
        toleranceBytes);
  }

  /**
   * Whether this sample is closer to the time when a heartbeat is due than the next one will be, or
   * nobody knows: the node's clock was set back.
   */
  private boolean isHeartbeatDue(MemoryReading sample) {
    long tickMillis = sample.sampledMillis() - lastMillis;
    return tickMillis <= 0
        || sample.sampledMillis() + tickMillis / 2 >= sent.sampledMillis() + heartbeatMillis;
  }

  private boolean differs(MemoryReading sample, long toleranceBytes) {
    double pressure = sample.pressureSince(sent);
    return sample.totalBytes() != sent.totalBytes()
        || Math.abs(sample.usedBytes(0) - sent.usedBytes(0)) > toleranceBytes
        || tierDiffers(sample.tierUse(), sent.tierUse(), toleranceBytes)
        || (sample.stalledMicros() == null) != (sent.stalledMicros() == null)
        || pressure > MAX_STALLED;
  }

  private static boolean tierDiffers(
      MemoryReading.TierUse now, MemoryReading.TierUse before, long toleranceBytes) {
    if (now == null || before == null) {
      return now != null || before != null;
    }
    return !now.tier().equals(before.tier())
        || Math.abs(now.usedBytes() - before.usedBytes()) > toleranceBytes;
  }
}
