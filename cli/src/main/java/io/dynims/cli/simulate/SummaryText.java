package io.dynims.cli.simulate;

import io.dynims.cli.stack.Text;
import io.dynims.simulation.SimulationSummary;
import java.util.List;
import java.util.Locale;

/** Formats the summary of a simulation for people. */
public final class SummaryText {

  private SummaryText() {}

  /** One line for each figure. */
  public static List<String> lines(SimulationSummary summary) {
    return List.of(
        String.format(Locale.ROOT, "ticks                     %d", summary.ticks()),
        String.format(Locale.ROOT, "maximum utilization       %.4f", summary.maxUtilization()),
        String.format(Locale.ROOT, "ticks above the threshold %d", summary.aboveThreshold()),
        String.format(Locale.ROOT, "ticks above all memory    %d", summary.aboveMemory()),
        String.format(
            Locale.ROOT,
            "tasks stalled             %.1f s",
            summary.totals().stalledMicros() / 1e6),
        bytes("tier holds, on average   ", summary.meanTierBytes()),
        bytes("tier evicted             ", summary.totals().evictedBytes()),
        bytes("tier filled              ", summary.totals().filledBytes()),
        String.format(Locale.ROOT, "direction changes         %d", summary.directionChanges()),
        String.format(Locale.ROOT, "samples sent              %d", summary.totals().sentSamples()));
  }

  private static String bytes(String label, long bytes) {
    return label + " " + bytes + " bytes (" + Text.bytes(bytes) + ")";
  }
}
