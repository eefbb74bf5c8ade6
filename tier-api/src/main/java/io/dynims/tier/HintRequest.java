package io.dynims.tier;

import io.dynims.core.wire.Hint;
import io.dynims.core.wire.OptionalField;

/**
 * Announces what a job is about to take of a node's memory. It replaces an earlier hint of the same
 * owner.
 *
 * @param node the node's name; the adapter refuses that of another node, and does not need it
 * @param owner who announces it, see {@link Hint#owner}
 * @param bytes how much the owner is about to take on this node, see {@link Hint#bytes}
 * @param startMillis from when on room is made, epoch milliseconds; null for now
 * @param expiresMillis when the hint ends; null for ten minutes after its start, or as long as the
 *     adapter allows if that is less
 */
public record HintRequest(
    @OptionalField String node,
    String owner,
    long bytes,
    @OptionalField Long startMillis,
    @OptionalField Long expiresMillis) {

  /**
   * Checks the owner and the size.
   *
   * @throws IllegalArgumentException naming the field and its range
   */
  public HintRequest {
    var unused = new Hint(owner, bytes, 0, 1);
  }

  /**
   * The hint at a time.
   *
   * @param longestMillis for how long a hint may hold
   * @throws IllegalArgumentException naming the field if the times are none of a hint
   */
  Hint at(long nowMillis, long longestMillis) {
    long start = startMillis == null ? nowMillis : startMillis;
    long begin = Math.max(start, nowMillis);
    long latest = begin + longestMillis;
    long end =
        expiresMillis == null
            ? begin + Math.min(Hint.DEFAULT_MILLIS, longestMillis)
            : expiresMillis;
    // Whoever gives it has another clock.
    boolean isALittleLate = end > latest && end <= latest + LeasedTier.MAX_AHEAD_MILLIS;
    return new Hint(owner, bytes, start, isALittleLate ? latest : end);
  }
}
