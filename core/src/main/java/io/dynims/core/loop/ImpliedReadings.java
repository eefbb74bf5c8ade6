package io.dynims.core.loop;

import io.dynims.core.wire.MemoryReading;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node that reports by exception has left out: one reading each interval after its last
 * report, which it repeats, until the next heartbeat is due. The jobs hold what they held then, and
 * the tiers what their acks have told since.
 *
 * <p>A law that is given them sees the node as if every sample had been sent. Without them, the
 * first report of a burst after a quiet time would look like a slow rise over all of that time.
 */
final class ImpliedReadings {

  private static final long NEVER = Long.MIN_VALUE;

  private final NodeLoopState node;

  ImpliedReadings(NodeLoopState node) {
    this.node = node;
  }

  /** Whether the last reading stands for those that were left out after it. */
  boolean stand() {
    return node.last != null && node.last.isReport() && !node.silent;
  }

  /** The last one that the laws have seen, or the report. */
  MemoryReading current() {
    return node.report.impliedMillis == 0 ? node.last : at(node.report.impliedMillis);
  }

  /** Whether a new report is late, so that its sample counted as left out. */
  boolean isOutrun(long reportedMillis) {
    return stand() && node.report.impliedMillis > reportedMillis - node.intervalMillis() / 2;
  }

  /** What was left out before a new report and the law has not seen, oldest first. */
  List<MemoryReading> before(long reportedMillis) {
    return leftOut(reportedMillis - node.intervalMillis() / 2);
  }

  /** What was left out by now and the law has not seen, oldest first. */
  List<MemoryReading> by(long nowMillis) {
    return leftOut(untilMillis(nowMillis));
  }

  private List<MemoryReading> leftOut(long untilMillis) {
    List<MemoryReading> readings = new ArrayList<>();
    long intervalMillis = node.intervalMillis();
    for (long next = nextMillis();
        next <= untilMillis && isBeforeHeartbeat(next);
        next += intervalMillis) {
      readings.add(at(next));
    }
    return readings;
  }

  /** When {@link #by} finds something next, by the loop's clock; 0 for not at all. */
  long dueMillis(long nowMillis) {
    if (untilMillis(nowMillis) == NEVER) {
      return 0;
    }
    long intervalMillis = node.intervalMillis();
    long offsetMillis = node.acceptedMillis - node.last.sampledMillis() + intervalMillis / 2;
    long nextMillis = nextMillis();
    long lateMillis = nowMillis - offsetMillis - nextMillis;
    if (lateMillis > 0) {
      nextMillis += (lateMillis + intervalMillis - 1) / intervalMillis * intervalMillis;
    }
    return isBeforeHeartbeat(nextMillis) ? nextMillis + offsetMillis : 0;
  }

  /**
   * The latest time, by the node's clock, at which the node certainly left a sample out: a report
   * from then would have arrived by now, even if half an interval late. {@link #NEVER} if the acks
   * show that what the tiers hold has changed by more than the node's tolerance, as a report of
   * that must be on its way.
   */
  private long untilMillis(long nowMillis) {
    if (!stand()) {
      return NEVER;
    }
    long sinceMillis = nowMillis - node.acceptedMillis;
    long mostMillis = node.last.heartbeatMillis() + node.intervalMillis();
    boolean calm = Math.abs(tiersRoseBytes(Long.MAX_VALUE)) <= node.last.toleranceBytes();
    return calm && sinceMillis >= 0 && sinceMillis <= mostMillis
        ? node.last.sampledMillis() + sinceMillis - node.intervalMillis() / 2
        : NEVER;
  }

  private long nextMillis() {
    long lastMillis =
        node.report.impliedMillis == 0 ? node.last.sampledMillis() : node.report.impliedMillis;
    return lastMillis + node.intervalMillis();
  }

  private boolean isBeforeHeartbeat(long sampledMillis) {
    return sampledMillis - node.last.sampledMillis() < node.last.heartbeatMillis();
  }

  private MemoryReading at(long sampledMillis) {
    MemoryReading.TierUse use = node.last.tierUse();
    TierLoopState told = use == null ? null : node.tiers.get(use.tier());
    long toldRoseBytes = told == null ? 0 : node.report.roseBytes(told, sampledMillis);
    // A report and an ack may measure differently; more than the tolerance is not to be believed.
    boolean agree = Math.abs(toldRoseBytes) <= node.last.toleranceBytes();
    return node.last.unchangedAt(
        sampledMillis,
        tiersRoseBytes(sampledMillis) - (agree ? 0 : toldRoseBytes),
        agree ? toldRoseBytes : 0);
  }

  private long tiersRoseBytes(long sampledMillis) {
    long sum = 0;
    for (TierLoopState tier : node.tiers.values()) {
      sum += node.report.roseBytes(tier, sampledMillis);
    }
    return sum;
  }
}
