package io.dynims.experiments.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Memory in use over time, of the node or of its tier. Thread-safe. */
public final class UtilizationTrace {

  /** A sample: its time in epoch milliseconds, and the memory in use. */
  public record Sample(long millis, long usedBytes) {}

  /** How long utilization must stay at the threshold to count as settled. */
  static final long STAY_MILLIS = 300;

  private final List<Sample> samples = new ArrayList<>();

  /** Adds a sample; times must not fall. */
  public synchronized void add(long millis, long usedBytes) {
    samples.add(new Sample(millis, usedBytes));
  }

  /** The samples between two times. */
  public synchronized List<Sample> between(long fromMillis, long toMillis) {
    int from = indexFrom(fromMillis);
    int to = indexFrom(toMillis + 1);
    return from < to ? List.copyOf(samples.subList(from, to)) : List.of();
  }

  /** The maximum memory in use in that time; 0 without samples. */
  public long maxUsedBytes(long fromMillis, long toMillis) {
    return between(fromMillis, toMillis).stream().mapToLong(Sample::usedBytes).max().orElse(0);
  }

  /** The first sample at or after a time; if there is none, the last one; 0 without samples. */
  public synchronized long usedBytesFrom(long millis) {
    int index = Math.min(indexFrom(millis), samples.size() - 1);
    return index < 0 ? 0 : samples.get(index).usedBytes();
  }

  private int indexFrom(long millis) {
    int low = 0;
    int high = samples.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (samples.get(middle).millis() < millis) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** How long memory in use exceeded a limit in that time; a sample counts until the next one. */
  public long overMillis(long fromMillis, long toMillis, long limitBytes) {
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
