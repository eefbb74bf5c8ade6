package io.dynims.core.loop;

/**
 * What the jobs of a node have held lately, j = v − what the tiers hold; a POJO by Flink's rules,
 * as {@link NodeLoopState}. Times are those of samples.
 */
public final class JobLevel {

  /** A change of what the tiers hold, as a part of the node's memory, that makes j doubtful. */
  private static final double MOVED = 0.005;

  /** For how long it does if the samples tell what the tiers hold: freed pages may show late. */
  private static final long DOUBT_MILLIS = 150;

  /** The same if only acks tell it, which are older than v. */
  private static final long ACK_DOUBT_MILLIS = 500;

  private static final long PERIOD_MILLIS = 1_000;

  /** Whether there was a sample without doubt. */
  public boolean known;

  /** The last j without doubt. */
  public long bytes;

  /** The least of this period. */
  public long leastBytes;

  /** The least of the period before. */
  public long leastBeforeBytes;

  /** When this period began. */
  public long periodMillis;

  /** What the tiers held when that last changed by much. */
  public long tiersBytes;

  /** When that was. */
  public long tiersMovedMillis;

  /**
   * Takes a sample into account.
   *
   * @param jobBytes j as it seems
   * @param heldBytes what the tiers hold
   * @param exact whether that is of the sample's time
   * @return whether j is without doubt
   */
  boolean observe(
      long jobBytes, long heldBytes, boolean exact, long totalBytes, long sampledMillis) {
    if (Math.abs(heldBytes - tiersBytes) > MOVED * totalBytes) {
      tiersBytes = heldBytes;
      tiersMovedMillis = sampledMillis;
    }
    long unmovedMillis = Math.abs(sampledMillis - tiersMovedMillis);
    if (unmovedMillis < (exact ? DOUBT_MILLIS : ACK_DOUBT_MILLIS)) {
      return false;
    }
    bytes = jobBytes;
    if (!known || Math.abs(sampledMillis - periodMillis) >= PERIOD_MILLIS) {
      leastBeforeBytes = known ? leastBytes : jobBytes;
      leastBytes = jobBytes;
      periodMillis = sampledMillis;
    }
    leastBytes = Math.min(leastBytes, jobBytes);
    known = true;
    return true;
  }

  /** The least j of the last second or two; what has come since may belong to a hint. */
  long recentLeastBytes() {
    return Math.min(leastBytes, leastBeforeBytes);
  }
}
