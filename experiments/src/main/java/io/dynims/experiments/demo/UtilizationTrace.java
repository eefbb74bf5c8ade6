package io.dynims.experiments.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The node's memory in use over time. Thread-safe. */
final class UtilizationTrace {

  /** A sample: its time in epoch milliseconds, and the memory in use. */
  record Sample(long millis, long usedBytes) {}

  /** How long utilization must stay at the threshold to count as settled. */
  static final long STAY_MILLIS = 300;

  private final List<Sample> samples = new ArrayList<>();

  synchronized void add(long millis, long usedBytes) {
    samples.add(new Sample(millis, usedBytes));
  }

  /** The samples between two times. */
  synchronized List<Sample> between(long fromMillis, long toMillis) {
    return samples.stream()
        .filter(s -> s.millis() >= fromMillis && s.millis() <= toMillis)
        .toList();
  }

  /** The maximum memory in use in that time; 0 without samples. */
  long maxUsedBytes(long fromMillis, long toMillis) {
    return between(fromMillis, toMillis).stream().mapToLong(Sample::usedBytes).max().orElse(0);
  }

  /** How long memory in use exceeded a limit in that time; a sample counts until the next one. */
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
   * The time from a change of load until memory in use is within two bounds and stays there.
   *
   * @return milliseconds; empty if it did not settle by the given end
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
