package io.dynims.controller.fleet;

import io.dynims.core.wire.Target;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;

/** The decisions for one tier: the newest in full, those of the last hour thinned. */
final class DecisionLog {

  private final ArrayDeque<Target> decided = new ArrayDeque<>();
  private final ArrayDeque<Target> remembered = new ArrayDeque<>();
  private final Downsampler hour = new Downsampler();
  private Target last;
  private long nextBucket;

  /** The newest decision since this program started; null if there was none. */
  Target newest() {
    return decided.peekFirst();
  }

  /** Takes a decision that was made just now. */
  void decided(Target target, int keep) {
    // What came meanwhile may have been read as history, too.
    while (!remembered.isEmpty()
        && remembered.peekFirst().decidedMillis() >= target.decidedMillis()) {
      remembered.removeFirst();
    }
    decided.addFirst(thinned(target));
    forget(keep);
  }

  /** Takes a decision of the time before this program started; what is not newer is known. */
  void remember(Target target, int keep) {
    Target oldest = decided.peekLast();
    Target newest = remembered.peekFirst();
    if ((oldest == null || target.decidedMillis() < oldest.decidedMillis())
        && (newest == null || target.decidedMillis() > newest.decidedMillis())) {
      remembered.addFirst(thinned(target));
      forget(keep);
    }
  }

  /** Takes a decision of which it is known that it was kept of the hour. */
  void restore(Target target) {
    nextBucket = Math.max(nextBucket, Downsampler.bucket(target.decidedMillis()) + 1);
    thinned(target);
  }

  private Target thinned(Target target) {
    last = last == null ? target : target.sharing(last);
    hour.add(last);
    return last;
  }

  private void forget(int keep) {
    while (!remembered.isEmpty() && decided.size() + remembered.size() > keep) {
      remembered.removeLast();
    }
    while (decided.size() > keep) {
      decided.removeLast();
    }
  }

  /** The newest decisions first, as many as are wanted and known. */
  List<Target> newest(int limit, long nowMillis) {
    return known(nowMillis).limit(limit).toList();
  }

  /** All that is known since a time, the newest first. */
  List<Target> since(long fromMillis, long nowMillis) {
    return known(nowMillis).filter(target -> target.decidedMillis() >= fromMillis).toList();
  }

  private Stream<Target> known(long nowMillis) {
    Target oldest = remembered.isEmpty() ? decided.peekLast() : remembered.peekLast();
    long untilMillis = oldest == null ? Long.MAX_VALUE : oldest.decidedMillis();
    List<Target> earlier = hour.between(nowMillis - Downsampler.SPAN_MILLIS, untilMillis);
    ArrayDeque<Target> reversed = new ArrayDeque<>();
    earlier.forEach(reversed::addFirst);
    return Stream.of(decided, remembered, reversed).flatMap(ArrayDeque::stream);
  }

  /**
   * What is kept of the half minutes that ended before a time, the older first; each only once, and
   * nothing that was {@linkplain #restore restored}.
   */
  List<Target> closed(long untilMillis) {
    long end = Downsampler.bucket(untilMillis);
    if (end <= nextBucket) {
      return List.of();
    }
    List<Target> closed =
        hour.between(Downsampler.startMillis(nextBucket), Downsampler.startMillis(end));
    nextBucket = end;
    return closed;
  }
}
