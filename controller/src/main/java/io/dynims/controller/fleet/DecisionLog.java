package io.dynims.controller.fleet;

import io.dynims.core.wire.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The decisions for one tier: the newest in full, those of the last hour downsampled. */
final class DecisionLog {

  private final ArrayDeque<Target> decided = new ArrayDeque<>();
  private final ArrayDeque<Target> earlier = new ArrayDeque<>();
  private final Downsampler hour = new Downsampler();
  private final TreeSet<Long> lateBuckets = new TreeSet<>();
  private Target last;
  private long nextBucket;

  /** The newest decision since this program started, or null. */
  Target newest() {
    return decided.peekFirst();
  }

  /** Adds a new decision. */
  void record(Target target, int keep) {
    // A decision that arrives now may have been read from the target topic, too.
    while (!earlier.isEmpty() && earlier.peekFirst().decidedMillis() >= target.decidedMillis()) {
      earlier.removeFirst();
    }
    decided.addFirst(downsample(target));
    trim(keep);
  }

  /**
   * Adds a decision that became known late, such as one of the guard on a node while no controller
   * had the tier. Returns whether it is new.
   */
  boolean recordLate(Target target, int keep) {
    boolean known =
        Stream.of(decided, earlier)
            .flatMap(ArrayDeque::stream)
            .takeWhile(each -> each.decidedMillis() >= target.decidedMillis())
            .anyMatch(target::equals);
    if (known) {
      return false;
    }
    Target oldest = decided.peekLast();
    boolean old = oldest != null && target.decidedMillis() < oldest.decidedMillis();
    insert(old && !earlier.isEmpty() ? earlier : decided, downsample(target));
    trim(keep);
    long bucket = Downsampler.bucket(target.decidedMillis());
    if (bucket < nextBucket) {
      lateBuckets.add(bucket);
    }
    return true;
  }

  /** Inserts a decision into a queue that has the newest first. */
  private static void insert(ArrayDeque<Target> queue, Target target) {
    ArrayDeque<Target> newer = new ArrayDeque<>();
    while (!queue.isEmpty() && queue.peekFirst().decidedMillis() > target.decidedMillis()) {
      newer.addFirst(queue.removeFirst());
    }
    queue.addFirst(target);
    newer.forEach(queue::addFirst);
  }

  /**
   * Adds a decision from before this program started. Earlier decisions come oldest first; one that
   * is known already is ignored.
   */
  void recordEarlier(Target target, int keep) {
    Target oldest = decided.peekLast();
    Target newest = earlier.peekFirst();
    if ((oldest == null || target.decidedMillis() < oldest.decidedMillis())
        && (newest == null || target.decidedMillis() > newest.decidedMillis())) {
      earlier.addFirst(downsample(target));
      trim(keep);
    }
  }

  /** Adds a decision that an earlier run of this program drained. */
  void restore(Target target) {
    nextBucket = Math.max(nextBucket, Downsampler.bucket(target.decidedMillis()) + 1);
    downsample(target);
  }

  private Target downsample(Target target) {
    last = last == null ? target : target.sharing(last);
    hour.add(last);
    return last;
  }

  private void trim(int keep) {
    while (!earlier.isEmpty() && decided.size() + earlier.size() > keep) {
      earlier.removeLast();
    }
    while (decided.size() > keep) {
      decided.removeLast();
    }
  }

  /** Up to this many decisions, newest first. */
  List<Target> newest(int limit, long nowMillis) {
    return all(nowMillis).limit(limit).toList();
  }

  /** All decisions since a time, newest first. */
  List<Target> since(long fromMillis, long nowMillis) {
    return all(nowMillis).filter(target -> target.decidedMillis() >= fromMillis).toList();
  }

  /** The smallest capacity decided in each minute of the last hour, oldest first, with nulls. */
  List<Long> trend(long nowMillis) {
    return Arrays.asList(
        hour.smallestBytes(
            TierTrend.startMillis(nowMillis), TierTrend.INTERVAL_MILLIS, TierTrend.VALUES));
  }

  private Stream<Target> all(long nowMillis) {
    Target oldest = earlier.isEmpty() ? decided.peekLast() : earlier.peekLast();
    long untilMillis = oldest == null ? Long.MAX_VALUE : oldest.decidedMillis();
    List<Target> kept = hour.between(nowMillis - Downsampler.SPAN_MILLIS, untilMillis);
    ArrayDeque<Target> reversed = new ArrayDeque<>();
    kept.forEach(reversed::addFirst);
    return Stream.of(decided, earlier, reversed).flatMap(ArrayDeque::stream);
  }

  /**
   * The downsampled decisions of the half minutes that ended before a time, oldest first. Each is
   * returned once, and none that was {@linkplain #restore restored}; a half minute with a decision
   * that came late is returned again.
   */
  List<Target> drain(long untilMillis) {
    List<Target> drained = new ArrayList<>();
    lateBuckets.forEach(bucket -> drained.addAll(between(bucket, bucket + 1)));
    lateBuckets.clear();
    long end = Downsampler.bucket(untilMillis);
    if (end > nextBucket) {
      drained.addAll(between(nextBucket, end));
      nextBucket = end;
    }
    return drained;
  }

  private List<Target> between(long fromBucket, long untilBucket) {
    return hour.between(Downsampler.startMillis(fromBucket), Downsampler.startMillis(untilBucket));
  }
}
