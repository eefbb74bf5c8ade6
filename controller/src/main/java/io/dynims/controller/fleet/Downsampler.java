package io.dynims.controller.fleet;

import io.dynims.core.wire.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Downsamples the last hour of one tier's decisions: of each half minute it keeps the decision with
 * the highest utilization and the one with the smallest capacity, which may be the same. So even a
 * burst of a second stays visible, with a complete decision. Adding decisions late, twice, or in
 * another order gives the same result, so replicas and restarted controllers agree.
 */
final class Downsampler {

  /** How long decisions are kept. */
  static final long SPAN_MILLIS = 3_600_000;

  private static final long BUCKET_MILLIS = 30_000;
  // A few spare slots for the current bucket and for clocks that differ a little.
  private static final int SLOTS = (int) (SPAN_MILLIS / BUCKET_MILLIS) + 8;

  private static final Comparator<Target> OLDER = Comparator.comparingLong(Target::decidedMillis);
  private static final Comparator<Target> HIGHER =
      Comparator.comparingDouble(Target::utilization)
          .thenComparing(Comparator.comparingLong(Target::desiredBytes).reversed())
          .thenComparing(OLDER.reversed());
  private static final Comparator<Target> SMALLER =
      Comparator.comparingLong(Target::desiredBytes)
          .reversed()
          .thenComparing(Target::utilization)
          .thenComparing(OLDER.reversed());

  /** The half minute that contains a time. */
  static long bucket(long millis) {
    return Math.floorDiv(millis, BUCKET_MILLIS);
  }

  /** The start of a half minute. */
  static long startMillis(long bucket) {
    return bucket * BUCKET_MILLIS;
  }

  private final Target[] highest = new Target[SLOTS];
  private final Target[] smallest = new Target[SLOTS];
  private long newest = Long.MIN_VALUE + SLOTS;

  /** Adds a decision; the order does not matter. */
  void add(Target target) {
    long bucket = bucket(target.decidedMillis());
    newest = Math.max(newest, bucket);
    int slot = Math.floorMod(bucket, SLOTS);
    highest[slot] = better(highest[slot], target, HIGHER);
    smallest[slot] = better(smallest[slot], target, SMALLER);
  }

  /** A decision of an earlier bucket is obsolete. */
  private static Target better(Target held, Target target, Comparator<Target> order) {
    if (held == null) {
      return target;
    }
    int later = Long.compare(bucket(target.decidedMillis()), bucket(held.decidedMillis()));
    return later > 0 || (later == 0 && order.compare(target, held) > 0) ? target : held;
  }

  /**
   * The smallest capacity decided in each of so many intervals from a time on; null where none was.
   *
   * @param intervalMillis a multiple of half a minute
   */
  Long[] smallestBytes(long fromMillis, long intervalMillis, int intervals) {
    Long[] bytes = new Long[intervals];
    long fromBucket = bucket(fromMillis);
    int perInterval = (int) (intervalMillis / BUCKET_MILLIS);
    for (int i = 0; i < intervals * perInterval; i++) {
      Target target = smallest[Math.floorMod(fromBucket + i, SLOTS)];
      if (target != null && bucket(target.decidedMillis()) == fromBucket + i) {
        int interval = i / perInterval;
        Long held = bytes[interval];
        bytes[interval] =
            held == null ? target.desiredBytes() : Math.min(held, target.desiredBytes());
      }
    }
    return bytes;
  }

  /** The kept decisions from one time until before another, oldest first. */
  List<Target> between(long fromMillis, long untilMillis) {
    List<Target> kept = new ArrayList<>();
    long last = Math.min(newest, bucket(untilMillis));
    for (long b = Math.max(newest - SLOTS + 1, bucket(fromMillis)); b <= last; b++) {
      long wanted = b;
      int slot = Math.floorMod(b, SLOTS);
      Stream.of(highest[slot], smallest[slot])
          .filter(t -> t != null && bucket(t.decidedMillis()) == wanted)
          .filter(t -> t.decidedMillis() >= fromMillis && t.decidedMillis() < untilMillis)
          .distinct()
          .sorted(OLDER)
          .forEach(kept::add);
    }
    return kept;
  }
}
