package io.dynims.core.wire;

/**
 * A node's memory at one instant, or a part of it, as read from {@code dynims.metrics}. The shipped
 * collectd reader sends all of it at once. collectd's stock {@code memory} plugin sends six values
 * that sum to the total; each is a part, and parts of the same instant add up.
 *
 * @param node the node's name, as collectd's {@code host}
 * @param sampledMillis when it was sampled, epoch milliseconds by the node's clock
 * @param parts which parts it holds, a set of bits; {@link #WHOLE} from the shipped reader
 * @param totalBytes the sum of the parts; MemTotal for a whole reading
 * @param availableBytes what of the total is not in use; for a whole reading MemAvailable plus the
 *     free pages in the processors' own lists
 * @param tierUse what a tier held at that instant; null where the reader does not tell
 * @param stalledMicros for how long some task has waited for memory since the node's start,
 *     microseconds; null where the kernel does not tell
 * @param heartbeatMillis the longest time until the node's next reading, at least 0; until then the
 *     node leaves out samples that repeat this one. 0 where it sends every sample
 * @param toleranceBytes by how much a sample that is left out may differ in the memory in use and
 *     in what the tier holds, at least 0
 */
public record MemoryReading(
    String node,
    long sampledMillis,
    int parts,
    long totalBytes,
    long availableBytes,
    TierUse tierUse,
    Long stalledMicros,
    long heartbeatMillis,
    long toleranceBytes) {

  /**
   * What one tier of the node held.
   *
   * @param tier the tier's name
   * @param usedBytes what its data occupied, at least 0
   */
  public record TierUse(String tier, long usedBytes) {}

  /** The shipped reader's: complete by itself. */
  public static final int WHOLE = 0;

  /** All six parts of the stock plugin. */
  public static final int ALL_PARTS = 0b111111;

  /** A reading of the memory alone. */
  public MemoryReading(
      String node, long sampledMillis, int parts, long totalBytes, long availableBytes) {
    this(node, sampledMillis, parts, totalBytes, availableBytes, null, null);
  }

  /** A reading of a node that sends every sample. */
  public MemoryReading(
      String node,
      long sampledMillis,
      int parts,
      long totalBytes,
      long availableBytes,
      TierUse tierUse,
      Long stalledMicros) {
    this(node, sampledMillis, parts, totalBytes, availableBytes, tierUse, stalledMicros, 0, 0);
  }

  /** Whether the node reports by exception: it leaves out samples that repeat this one. */
  public boolean isReport() {
    return heartbeatMillis > 0;
  }

  /**
   * The sample that the node left out at a later time: this reading, changed only by what the
   * node's tiers have told since.
   *
   * @param tiersRoseBytes by how much more the node's tiers hold
   * @param tierRoseBytes by how much more the tier of {@link #tierUse} holds
   */
  public MemoryReading unchangedAt(long laterMillis, long tiersRoseBytes, long tierRoseBytes) {
    long leftBytes = Math.max(0, Math.min(totalBytes, availableBytes - tiersRoseBytes));
    TierUse laterUse =
        tierUse == null
            ? null
            : new TierUse(tierUse.tier, Math.max(0, tierUse.usedBytes + tierRoseBytes));
    return new MemoryReading(
        node,
        laterMillis,
        parts,
        totalBytes,
        leftBytes,
        laterUse,
        stalledMicros,
        heartbeatMillis,
        toleranceBytes);
  }

  /** Whether it comes from the stock plugin, which counts tmpfs as cache and so as available. */
  public boolean isStock() {
    return parts != WHOLE;
  }

  /** Whether no part is missing. */
  public boolean isComplete() {
    return parts == WHOLE || parts == ALL_PARTS;
  }

  /** Adds another part of the same instant; a part that is already here changes nothing. */
  public MemoryReading plus(MemoryReading other) {
    if ((parts & other.parts) != 0) {
      return this;
    }
    return new MemoryReading(
        node,
        sampledMillis,
        parts | other.parts,
        totalBytes + other.totalBytes,
        availableBytes + other.availableBytes);
  }

  /**
   * The share of the time since an earlier reading in which some task waited for memory, in [0, 1];
   * NaN if either does not tell.
   */
  public double pressureSince(MemoryReading earlier) {
    if (earlier == null || earlier.stalledMicros == null || stalledMicros == null) {
      return Double.NaN;
    }
    return pressure(stalledMicros - earlier.stalledMicros, sampledMillis - earlier.sampledMillis);
  }

  /** The share of a time in which some task waited for memory, in [0, 1]; NaN if there is none. */
  public static double pressure(long waitedMicros, long elapsedMillis) {
    // The count begins anew with a new control group of the node.
    return elapsedMillis <= 0 || waitedMicros < 0
        ? Double.NaN
        : Math.min(1, waitedMicros / (elapsedMillis * 1e3));
  }

  /**
   * v, the memory in use.
   *
   * @param hiddenBytes what tiers occupy that the stock plugin takes for cache
   */
  public long usedBytes(long hiddenBytes) {
    long used = totalBytes - availableBytes + (isStock() ? hiddenBytes : 0);
    return Math.max(0, Math.min(used, totalBytes));
  }
}
