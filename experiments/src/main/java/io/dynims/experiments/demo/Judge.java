package io.dynims.experiments.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says whether a run of the demo showed what it is to show. */
public final class Judge {

  /** The tier has to come back to this part of what it was. */
  static final double BACK = 0.9;

  /** The tier has to give up this part of what the burst takes at least. */
  static final double SHRUNK = 0.5;

  private static final long SETTLE_GOAL_MILLIS = 1_000;
  private static final long P50_GOAL_MILLIS = 15;
  private static final long P99_GOAL_MILLIS = 40;

  private Judge() {}

  /**
   * The conditions that were not met, each with its reason; the run succeeded if there are none.
   */
  public static List<String> failures(DemoReport report) {
    List<String> failures = new ArrayList<>();
    Extent capacity = report.capacityBytes();
    Extent used = report.usedBytes();
    long wanted = (long) (SHRUNK * report.burstBytes());
    if (report.applied() == 0) {
      failures.add("the loop was not closed: no capacity was applied");
    }
    if (capacity.start() - capacity.min() < wanted || wanted <= 0) {
      failures.add(
          String.format(
              Locale.ROOT,
              "the tier did not shrink under the burst: its capacity fell by %s MiB, of a burst of"
                  + " %s MiB",
              mebibytes(capacity.start() - capacity.min()),
              mebibytes(report.burstBytes())));
    }
    if (used.start() - used.min() < wanted || wanted <= 0) {
      failures.add(
          String.format(
              Locale.ROOT,
              "bytes were not freed: the tier's data fell by %s MiB, of a burst of %s MiB",
              mebibytes(used.start() - used.min()),
              mebibytes(report.burstBytes())));
    }
    addUnlessBack(failures, "capacity", capacity);
    addUnlessBack(failures, "data", used);
    if (report.readsOk() == 0) {
      failures.add("nothing was read through the tier");
    }
    if (report.readsCorrupt() > 0) {
      failures.add(report.readsCorrupt() + " reads gave wrong bytes");
    }
    if (report.readsFailed() > 0) {
      failures.add(report.readsFailed() + " reads failed");
    }
    return failures;
  }

  /** The goals that were missed; a busy machine misses them without the loop being at fault. */
  public static List<String> missedGoals(DemoReport report) {
    List<String> missed = new ArrayList<>();
    if (report.maxUtilization() > 1) {
      missed.add(
          String.format(
              Locale.ROOT,
              "the node passed its memory budget: utilization was %.4f",
              report.maxUtilization()));
    }
    addUnlessSettled(missed, "taken its memory", report.settleMillis().burst());
    addUnlessSettled(missed, "given it back", report.settleMillis().release());
    ReactionMillis idle = report.idleReactionMillis();
    if (idle.count() == 0) {
      missed.add("no reaction of an idle machine was measured");
    } else if (idle.p50() > P50_GOAL_MILLIS || idle.p99() > P99_GOAL_MILLIS) {
      missed.add(
          "the reaction of an idle machine was p50 "
              + idle.p50()
              + " ms, p99 "
              + idle.p99()
              + " ms; the goal is "
              + P50_GOAL_MILLIS
              + " and "
              + P99_GOAL_MILLIS);
    }
    return missed;
  }

  private static void addUnlessBack(List<String> failures, String what, Extent extent) {
    if (extent.end() < BACK * extent.start() || extent.start() == 0) {
      failures.add(
          String.format(
              Locale.ROOT,
              "the tier did not come back: its %s was %s MiB before the burst and is %s MiB",
              what,
              mebibytes(extent.start()),
              mebibytes(extent.end())));
    }
  }

  private static void addUnlessSettled(List<String> missed, String change, Long millis) {
    if (millis == null) {
      missed.add("utilization did not settle at the threshold after the burst had " + change);
    } else if (millis > SETTLE_GOAL_MILLIS) {
      missed.add(
          "utilization took "
              + millis
              + " ms to settle after the burst had "
              + change
              + "; the goal is "
              + SETTLE_GOAL_MILLIS);
    }
  }

  static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
