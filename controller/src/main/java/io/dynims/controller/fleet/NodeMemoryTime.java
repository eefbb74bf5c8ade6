package io.dynims.controller.fleet;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Target;
import java.util.HashMap;
import java.util.Map;

/**
 * For how long a node was out of memory in the last hour, and for how long it would have been with
 * static tiers. With the memory in use v, M that the node may use, and for each tier k its capacity
 * in force u[k] and its maximum Umax[k]:
 *
 * <pre>
 *   out of memory                      v &gt; M
 *   out of memory with static tiers    v + sum of (Umax[k] - u[k]) over k &gt; M
 * </pre>
 *
 * <p>What a tier leaves empty of its capacity now, a static one is taken to leave empty, too. A
 * decision counts until the next one, which is at most until it is stale. Decisions from before
 * this program started count as far as they are kept in full; those of guards do not count.
 */
final class NodeMemoryTime {

  private static final long BUCKET_MILLIS = 60_000;
  private static final int BUCKETS = (int) (Downsampler.SPAN_MILLIS / BUCKET_MILLIS);

  private final long[] bucketOf = new long[BUCKETS];
  private final int[] observedMillis = new int[BUCKETS];
  private final int[] overMillis = new int[BUCKETS];
  private final int[] staticOverMillis = new int[BUCKETS];
  private final Sequence earlier = new Sequence();
  private final Sequence live = new Sequence();

  /** Decisions in their order. */
  private final class Sequence {

    private final Map<String, Long> belowMaxBytes = new HashMap<>(2);
    private long firstMillis = Long.MAX_VALUE;
    private long lastMillis = Long.MIN_VALUE;
    private long validUntilMillis = Long.MIN_VALUE;
    private boolean isOver;
    private boolean isStaticOver;

    void add(Target target, long maxBytes, long staleAfterMillis) {
      long millis = target.decidedMillis();
      if (millis < lastMillis) {
        return;
      }
      if (lastMillis != Long.MIN_VALUE) {
        count(lastMillis, Math.min(millis, validUntilMillis), isOver, isStaticOver);
      }
      firstMillis = Math.min(firstMillis, millis);
      lastMillis = millis;
      validUntilMillis = target.limitedBy() == Limit.Stale ? millis : millis + staleAfterMillis;
      belowMaxBytes.put(target.tier(), Math.max(0, maxBytes - target.previousBytes()));
      long staticBytes = target.memoryUsedBytes();
      for (long bytes : belowMaxBytes.values()) {
        staticBytes += bytes;
      }
      isOver = target.memoryUsedBytes() > target.memoryTotalBytes();
      isStaticOver = staticBytes > target.memoryTotalBytes();
    }
  }

  /**
   * Adds a new decision for one of the node's tiers.
   *
   * @param maxBytes the tier's maximum
   * @param staleAfterMillis for how long the decision counts at most
   */
  void add(Target target, long maxBytes, long staleAfterMillis) {
    if (target.decidedMillis() > earlier.lastMillis) {
      live.add(target, maxBytes, staleAfterMillis);
    }
  }

  /** Adds a decision from before this program started; they come oldest first. */
  void addEarlier(Target target, long maxBytes, long staleAfterMillis) {
    if (target.decidedMillis() < live.firstMillis) {
      earlier.add(target, maxBytes, staleAfterMillis);
    }
  }

  /** Forgets a tier; returns whether no other is known. */
  boolean remove(String tier) {
    live.belowMaxBytes.remove(tier);
    earlier.belowMaxBytes.remove(tier);
    return live.belowMaxBytes.isEmpty() && earlier.belowMaxBytes.isEmpty();
  }

  private void count(long fromMillis, long untilMillis, boolean isOver, boolean isStaticOver) {
    int millis = (int) Math.max(0, untilMillis - fromMillis);
    long bucket = Math.floorDiv(fromMillis, BUCKET_MILLIS);
    int slot = Math.floorMod(bucket, BUCKETS);
    if (bucketOf[slot] > bucket) {
      return;
    }
    if (bucketOf[slot] < bucket) {
      bucketOf[slot] = bucket;
      observedMillis[slot] = 0;
      overMillis[slot] = 0;
      staticOverMillis[slot] = 0;
    }
    observedMillis[slot] += millis;
    overMillis[slot] += isOver ? millis : 0;
    staticOverMillis[slot] += isStaticOver ? millis : 0;
  }

  /** The last hour, to the minute. */
  MemoryTime lastHour(long nowMillis) {
    long oldest = Math.floorDiv(nowMillis, BUCKET_MILLIS) - BUCKETS;
    // Sums, not records: the fleet's event loop asks this of thousands of nodes.
    long observed = 0;
    long over = 0;
    long staticOver = 0;
    for (int slot = 0; slot < BUCKETS; slot++) {
      if (bucketOf[slot] > oldest) {
        observed += observedMillis[slot];
        over += overMillis[slot];
        staticOver += staticOverMillis[slot];
      }
    }
    return new MemoryTime(observed, over, staticOver);
  }
}
