package io.dynims.experiments.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The node's memory in use over time, and what can be said of it. Safe for use by two threads. */
final class UtilizationTrace {

  /** One sample: when, epoch milliseconds, and how much was in use. */
  record Sample(long millis, long usedBytes) {}

  /** How long utilization has to stay at the threshold to count as settled. */
  static final long STAY_MILLIS = 300;

  private final List<Sample> samples = new ArrayList<>();

  synchronized void add(long millis, long usedBytes) {
    samples.add(new Sample(millis, usedBytes));
  }

  /** The samples from one time to another. */
  synchronized List<Sample> between(long fromMillis, long toMillis) {
    return samples.stream()
        .filter(s -> s.millis() >= fromMillis && s.millis() <= toMillis)
        .toList();
  }

  /** The greatest memory in use in that time, 0 without samples. */
  long maxUsedBytes(long fromMillis, long toMillis) {
    return between(fromMillis, toMillis).stream().mapToLong(Sample::usedBytes).max().orElse(0);
  }

  /** For how long in that time more than so much was in use; a sample stands until the next. */
  long overMillis(long fromMillis, long toMillis, long limitBytes) {
    List<Sample> window = between(fromMillis, toMillis);
    long over = 0;
    for (int i = 0; i + 1 < window.size(); i++) {
      if (window.get(i).usedBytes() > limitBytes) {
        over += window.get(i + 1).millis() - window.get(i).millis();
      }
    }
    return over;
  }

  /**
   * How long after a change of load memory in use came within two bounds and stayed there.
   *
   * @return milliseconds, or empty if it did not by the given end
   */
  OptionalLong settleMillis(long changeMillis, long endMillis, long lowBytes, long highBytes) {
    long candidate = -1;
    for (Sample sample : between(changeMillis, endMillis)) {
      boolean within = sample.usedBytes() >= lowBytes && sample.usedBytes() <= highBytes;
      if (!within) {
        candidate = -1;
      } else if (candidate < 0) {
        candidate = sample.millis();
      }
      if (candidate >= 0 && sample.millis() - candidate >= STAY_MILLIS) {
        return OptionalLong.of(candidate - changeMillis);
      }
    }
    return OptionalLong.empty();
  }
}
