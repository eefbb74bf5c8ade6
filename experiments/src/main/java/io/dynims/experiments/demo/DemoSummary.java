package io.dynims.experiments.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Prints the report as text. */
record DemoSummary(DemoReport report, List<String> failures, List<String> missedGoals) {

  void print(PrintStream out) {
    out.println();
    out.println("DynIMS demo");
    row(out, "tier capacity", extent(report.capacityBytes()));
    row(out, "tier data", extent(report.usedBytes()));
    row(out, "burst", Judge.mebibytes(report.burstBytes()) + " MiB");
    row(
        out,
        "utilization",
        String.format(
            Locale.ROOT,
            "at most %.4f of the budget; %d ms above %.2f",
            report.maxUtilization(),
            report.overThresholdMillis(),
            report.threshold() + Measurement.TOLERANCE));
    row(
        out,
        "settled",
        settled(report.settleMillis().burst())
            + " after the peak, "
            + settled(report.settleMillis().release())
            + " after the end of the burst");
    row(out, "reaction, idle", reaction(report.idleReactionMillis()));
    row(out, "reaction, burst", reaction(report.reactionMillis()));
    row(
        out,
        "pushes",
        String.format(
            Locale.ROOT,
            "%d decisions: %d applied, %d partially applied, %d failed",
            report.ticks(),
            report.applied(),
            report.partial(),
            report.failed()));
    row(
        out,
        "reads",
        String.format(
            Locale.ROOT,
            "%d correct, %d missed, %d wrong, %d failed",
            report.readsOk(),
            report.readsMissed(),
            report.readsCorrupt(),
            report.readsFailed()));
    missedGoals.forEach(goal -> out.println("  missed: " + goal));
    failures.forEach(failure -> out.println("  FAILED: " + failure));
    out.println(
        failures.isEmpty()
            ? "The tier shrank under the burst, its memory was freed, and it grew back."
            : "The demo failed.");
  }

  private static void row(PrintStream out, String name, String text) {
    out.printf(Locale.ROOT, "  %-16s %s%n", name, text);
  }

  private static String extent(Extent extent) {
    return String.format(
        Locale.ROOT,
        "%d MiB, %d MiB at least, %d MiB at the end",
        Judge.mebibytes(extent.start()),
        Judge.mebibytes(extent.min()),
        Judge.mebibytes(extent.end()));
  }

  private static String settled(Long millis) {
    return millis == null ? "never" : millis + " ms";
  }

  private static String reaction(ReactionMillis reaction) {
    return String.format(
        Locale.ROOT,
        "p50 %d ms, p99 %d ms, max %d ms (%d changes)",
        reaction.p50(),
        reaction.p99(),
        reaction.max(),
        reaction.count());
  }
}
