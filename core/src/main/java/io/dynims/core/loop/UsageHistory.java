package io.dynims.core.loop;

import io.dynims.core.wire.Ack;
import java.util.ArrayList;
import java.util.List;

/**
 * What a tier held by its last acks. Where samples are late, it tells what the tier held when they
 * were taken. A POJO by Flink's rules, as {@link NodeLoopState}.
 */
public final class UsageHistory {

  /** How many acks may come between a reading and its arrival; further ones are forgotten. */
  private static final int MOST = 32;

  /**
   * What an adapter found.
   *
   * @param measuredMillis when it looked, epoch milliseconds by the node's clock
   */
  public record Look(long measuredMillis, long usedBytes) {}

  /**
   * Oldest first: the newest that is no newer than the last reading, and all after it. Empty if the
   * acks do not tell when that was.
   */
  public List<Look> held = new ArrayList<>();

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** When the adapter looked last; 0 if that is not known. */
  long newestMillis() {
    return held.isEmpty() ? 0 : held.get(held.size() - 1).measuredMillis();
  }

  /** Whether an ack tells of an earlier time than the last one. */
  boolean isAfter(Ack ack) {
    return ack.measuredMillis() != null && ack.measuredMillis() < newestMillis();
  }

  /** Adds what an ack tells; an older one shows that the clock was set back. */
  void keep(Ack ack) {
    Long measuredMillis = ack.measuredMillis();
    if (measuredMillis == null || isAfter(ack)) {
      held.clear();
    }
    if (measuredMillis != null) {
      held.removeIf(each -> each.measuredMillis() == measuredMillis);
      held.add(new Look(measuredMillis, ack.usedBytes()));
      if (held.size() > MOST) {
        held.remove(0);
      }
    }
  }

  /** Forgets what no reading after this one needs. */
  void forget(long sampledMillis) {
    while (held.size() > 1 && held.get(1).measuredMillis() <= sampledMillis) {
      held.remove(0);
    }
  }

  /** What it held when somebody looked next after a time; the last time if nobody has since. */
  long bytesAfter(long sampledMillis) {
    for (Look each : held) {
      if (each.measuredMillis() > sampledMillis) {
        return each.usedBytes();
      }
    }
    return held.get(held.size() - 1).usedBytes();
  }

  /** What it held at a time, or soon after; it must not be empty. */
  long bytesAt(long sampledMillis) {
    long bytes = held.get(0).usedBytes();
    for (Look each : held) {
      bytes = each.measuredMillis() <= sampledMillis ? each.usedBytes() : bytes;
    }
    return bytes;
  }
}
