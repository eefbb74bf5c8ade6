package io.dynims.experiments.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Decides whether a run of the demo succeeded. */
public final class Judge {

  /** The tier must grow back to this share of its former size. */
  static final double BACK = 0.9;

  /** The tier must give up at least this share of what the burst needed. */
  static final double SHRUNK = 0.5;

  private static final long SETTLE_GOAL_MILLIS = 1_000;
  private static final long P50_GOAL_MILLIS = 15;
  private static final long P99_GOAL_MILLIS = 40;

  private Judge() {}

  /** The conditions that were not met; empty if the run succeeded. */
  public static List<String> failures(DemoReport report) {
    List<String> failures = new ArrayList<>();
    Extent capacity = report.capacityBytes();
    long wanted = (long) (SHRUNK * Math.min(report.burstBytes(), report.neededBytes()));
    if (report.applied() == 0) {
      failures.add("the loop was not closed: no capacity was applied");
    }
    if (report.burstBytes() <= 0) {
      failures.add("there was no burst");
    }
    if (capacity.start() < wanted) {
      failures.add(
          String.format(
              Locale.ROOT,
              "there was nothing to take before the burst: the tier's capacity was %s MiB; maybe"
                  + " other programs of this machine held too much memory",
              mebibytes(capacity.start())));
    } else {
      addUnlessResized(failures, report, wanted);
    }
    if (report.readsOk() == 0) {
      failures.add("nothing was read through the tier");
    }
    if (report.readsCorrupt() > 0) {
      failures.add(report.readsCorrupt() + " reads returned wrong bytes");
    }
    if (report.readsFailed() > 0) {
      failures.add(report.readsFailed() + " reads failed");
    }
    return failures;
  }

  private static void addUnlessResized(List<String> failures, DemoReport report, long wanted) {
    Extent capacity = report.capacityBytes();
    Extent used = report.usedBytes();
    if (capacity.start() - capacity.min() < wanted) {
      failures.add(
          String.format(
              Locale.ROOT,
              "the tier did not shrink under the burst: its capacity fell by %s MiB, of a burst of"
                  + " %s MiB",
              mebibytes(capacity.start() - capacity.min()),
              mebibytes(report.burstBytes())));
    }
    if (used.start() - used.min() < wanted) {
      failures.add(
          String.format(
              Locale.ROOT,
              "memory was not freed: the tier's data fell by %s MiB, of a burst of %s MiB",
              mebibytes(used.start() - used.min()),
              mebibytes(report.burstBytes())));
    }
    long takenBytes = takenBytes(report);
    addUnlessBack(failures, "capacity", capacity, takenBytes);
    addUnlessBack(failures, "data", used, takenBytes);
  }

  /** The missed goals; on a busy machine a missed goal is no fault of the loop. */
  public static List<String> missedGoals(DemoReport report) {
    List<String> missed = new ArrayList<>();
    if (report.maxUtilization() > 1) {
      missed.add(
          String.format(
              Locale.ROOT,
              "the node exceeded its memory budget: utilization was %.4f",
              report.maxUtilization()));
    }
    if (report.neededBytes() < SHRUNK * report.burstBytes()) {
      missed.add(
          "other programs of this machine gave back most of what the burst took: the tier needed to"
              + " shrink by "
              + mebibytes(Math.max(0, report.neededBytes()))
              + " MiB only, so this run shows little");
    }
    long takenBytes = takenBytes(report);
    if (isExcused(report.capacityBytes(), takenBytes)
        || isExcused(report.usedBytes(), takenBytes)) {
      missed.add(
          "other programs of this machine took "
              + mebibytes(takenBytes)
              + " MiB meanwhile, into which the tier could not grow back");
    }
    addUnlessSettled(missed, "peak", report.settleMillis().burst());
    addUnlessSettled(missed, "end", report.settleMillis().release());
    ReactionMillis idle = report.idleReactionMillis();
    if (idle.count() == 0) {
      missed.add("no reaction was measured while the machine was idle");
    } else if (idle.p50() > P50_GOAL_MILLIS || idle.p99() > P99_GOAL_MILLIS) {
      missed.add(
          "the reaction while the machine was idle was p50 "
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

  /** What other programs took, into which the tier cannot grow back. */
  private static long takenBytes(DemoReport report) {
    return Math.max(0, report.othersGrownBytes());
  }

  private static boolean isBack(Extent extent, long takenBytes) {
    return extent.start() > 0 && extent.end() + takenBytes >= BACK * extent.start();
  }

  private static boolean isExcused(Extent extent, long takenBytes) {
    return !isBack(extent, 0) && isBack(extent, takenBytes);
  }

  private static void addUnlessBack(
      List<String> failures, String what, Extent extent, long takenBytes) {
    if (!isBack(extent, takenBytes)) {
      failures.add(
          String.format(
              Locale.ROOT,
              "the tier did not grow back: its %s was %s MiB before the burst and is %s MiB now",
              what,
              mebibytes(extent.start()),
              mebibytes(extent.end())));
    }
  }

  private static void addUnlessSettled(List<String> missed, String change, Long millis) {
    if (millis == null) {
      missed.add(
          "utilization did not settle at the threshold after the " + change + " of the burst");
    } else if (millis > SETTLE_GOAL_MILLIS) {
      missed.add(
          "utilization took "
              + millis
              + " ms to settle after the "
              + change
              + " of the burst; the goal is "
              + SETTLE_GOAL_MILLIS);
    }
  }

  static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
