package io.dynims.core.loop;

import io.dynims.core.wire.MemoryReading;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins the parts of the stock plugin's readings. A POJO by Flink's rules, as {@link
 * NodeLoopState}.
 */
public final class StockParts {

  /** Parts of different instants may arrive mixed, as collectd spreads them over partitions. */
  private static final int MOST = 4;

  /** Readings that lack parts, in the order of their first part. */
  public List<MemoryReading> incomplete = new ArrayList<>();

  /**
   * Adds a reading to the parts of its instant. Gives up what is older than a complete one, and the
   * oldest where too many lack parts; the observer counts them.
   *
   * @return the complete reading, or null while parts are missing
   */
  MemoryReading join(MemoryReading reading, LoopObserver observer) {
    MemoryReading complete = reading.isComplete() ? reading : add(reading);
    int before = incomplete.size();
    if (complete != null && before > 0) {
      incomplete.removeIf(each -> each.sampledMillis() <= complete.sampledMillis());
    }
    incomplete.subList(0, Math.max(0, incomplete.size() - MOST)).clear();
    observer.refused(Refusal.Incomplete, before - incomplete.size());
    return complete;
  }

  private MemoryReading add(MemoryReading part) {
    for (int i = 0; i < incomplete.size(); i++) {
      if (incomplete.get(i).sampledMillis() == part.sampledMillis()) {
        MemoryReading joined = incomplete.get(i).plus(part);
        if (joined.isComplete()) {
          incomplete.remove(i);
          return joined;
        }
        incomplete.set(i, joined);
        return null;
      }
    }
    incomplete.add(part);
    return null;
  }
}
