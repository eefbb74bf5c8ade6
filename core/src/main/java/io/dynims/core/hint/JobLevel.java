package io.dynims.core.hint;

/**
 * What the jobs of a node have held lately, j = v − what the tiers hold; a POJO by Flink's rules,
 * as {@link HintLedger}. Times are those of samples.
 *
 * <p>While a tier moves, j is doubtful: v and what the tiers hold are then of different times.
 */
public final class JobLevel {

  /** The change of what the tiers hold, as a share of the node's memory, that makes j doubtful. */
  private static final double MOVED = 0.005;

  /** How long that lasts if samples tell what the tiers hold: freed pages may show late. */
  private static final long DOUBT_MILLIS = 150;

  /** How long it lasts if only acks tell it, which are older than v. */
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

  /** Takes a sample into account; returns whether its j is without doubt. */
  boolean observe(JobSample sample) {
    long sampledMillis = sample.sampledMillis();
    if (Math.abs(sample.tiersBytes() - tiersBytes) > MOVED * sample.totalBytes()) {
      tiersBytes = sample.tiersBytes();
      tiersMovedMillis = sampledMillis;
    }
    long unmovedMillis = Math.abs(sampledMillis - tiersMovedMillis);
    if (unmovedMillis < (sample.exact() ? DOUBT_MILLIS : ACK_DOUBT_MILLIS)) {
      return false;
    }
    bytes = sample.bytes();
    long elapsedMillis = Math.abs(sampledMillis - periodMillis);
    if (!known || elapsedMillis >= PERIOD_MILLIS) {
      leastBeforeBytes = known && elapsedMillis < 2 * PERIOD_MILLIS ? leastBytes : bytes;
      leastBytes = bytes;
      periodMillis = sampledMillis;
    }
    leastBytes = Math.min(leastBytes, bytes);
    known = true;
    return true;
  }

  /** The least j of the last second or two; what has come since may belong to a hint. */
  long recentLeastBytes() {
    return Math.min(leastBytes, leastBeforeBytes);
  }
}
