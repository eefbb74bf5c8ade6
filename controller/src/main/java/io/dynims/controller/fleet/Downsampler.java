package io.dynims.controller.fleet;

import io.dynims.core.wire.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The last hour of one tier's decisions, thinned: of each half minute the decision with the highest
 * utilization and the one with the least capacity are kept, which may be one. A burst of a second
 * stays visible that way, and what is kept are whole decisions. Taking a decision late or twice
 * changes nothing, so that replicas and restarts come to the same.
 */
final class Downsampler {

  /** For how long decisions are kept. */
  static final long SPAN_MILLIS = 3_600_000;

  private static final long BUCKET_MILLIS = 30_000;
  // A few more than the span needs: the bucket under way, and clocks that differ a little.
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

  /** Which half minute a time lies in. */
  static long bucket(long millis) {
    return Math.floorDiv(millis, BUCKET_MILLIS);
  }

  /** When it begins. */
  static long startMillis(long bucket) {
    return bucket * BUCKET_MILLIS;
  }

  private final Target[] highest = new Target[SLOTS];
  private final Target[] smallest = new Target[SLOTS];
  private long newest = Long.MIN_VALUE + SLOTS;

  /** Takes a decision, in any order. */
  void add(Target target) {
    long bucket = bucket(target.decidedMillis());
    newest = Math.max(newest, bucket);
    int slot = Math.floorMod(bucket, SLOTS);
    highest[slot] = better(highest[slot], target, HIGHER);
    smallest[slot] = better(smallest[slot], target, SMALLER);
  }

  /** What a slot holds of an earlier bucket is out of date. */
  private static Target better(Target held, Target target, Comparator<Target> order) {
    if (held == null) {
      return target;
    }
    int later = Long.compare(bucket(target.decidedMillis()), bucket(held.decidedMillis()));
    return later > 0 || (later == 0 && order.compare(target, held) > 0) ? target : held;
  }

  /** What is kept of the decisions from one time to before another, the older first. */
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
