package io.dynims.experiments.bench.node;

import io.dynims.cli.stack.ProcessUsage;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns the measured cost of a node into findings. */
final class NodeFindings {

  private static final double GOAL_CORES = 0.01;
  private static final double GOAL_BYTES = 120e6;

  /** The resources of one program, or of all. */
  record Use(double cpuCores, long rssBytes, long anonymousBytes) {

    static Use of(double cpuCores, ProcessUsage use) {
      return new Use(Math.round(cpuCores * 1e5) / 1e5, use.residentBytes(), use.anonymousBytes());
    }

    Use plus(Use other) {
      return new Use(
          cpuCores + other.cpuCores,
          rssBytes + other.rssBytes,
          anonymousBytes + other.anonymousBytes);
    }

    List<String> row(String name) {
      return List.of(name, percent(), megabytes(rssBytes), megabytes(anonymousBytes));
    }

    String percent() {
      return String.format(Locale.ROOT, "%.2f %%", 100 * cpuCores);
    }

    private static String megabytes(long bytes) {
      return String.format(Locale.ROOT, "%.1f", bytes / 1e6);
    }
  }

  /** The results as {@code -o json} prints them. */
  record Results(int seconds, Map<String, Use> parts, Use node) {}

  private NodeFindings() {}

  static Findings of(Map<String, Use> parts, int warmUpSeconds, int seconds) {
    Use node = parts.values().stream().reduce(new Use(0, 0, 0), Use::plus);
    List<List<String>> rows = new ArrayList<>();
    parts.forEach((part, use) -> rows.add(use.row(part)));
    rows.add(node.row("together"));
    return new Findings(
        "What DynIMS costs a node",
        new Results(seconds, parts, node),
        List.of(
            "Only the loop is running: the node is sampled and decided on ten times a second, and its"
                + " tier is empty and has its maximum capacity.",
            "Processor time was measured for "
                + seconds
                + " s, memory at their end, "
                + (warmUpSeconds + seconds)
                + " s after the start. Resident memory includes pages of files that other programs share."),
        List.of(
            Goal.figure(
                "adapter and collectd, share of a core",
                "at most 1 %",
                node.percent(),
                node.cpuCores() <= GOAL_CORES),
            Goal.figure(
                "adapter and collectd, resident",
                "at most 120 MB",
                Use.megabytes(node.rssBytes()) + " MB",
                node.rssBytes() <= GOAL_BYTES)),
        List.of(
            new Table(
                "At rest",
                List.of("program", "share of a core", "resident, MB", "without pages of files, MB"),
                rows)),
        List.of());
  }
}
