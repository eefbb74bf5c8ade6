package io.dynims.experiments.bench.node;

import io.dynims.cli.stack.ProcessUse;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the programs on a node take, told. */
final class NodeFindings {

  private static final double GOAL_CORES = 0.01;
  private static final double GOAL_BYTES = 120e6;

  /** What one program takes, or all. */
  record Use(double cpuCores, long rssBytes, long anonymousBytes) {

    static Use of(double cpuCores, ProcessUse use) {
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

  static Findings of(Map<String, Use> parts, int warmSeconds, int seconds) {
    Use node = parts.values().stream().reduce(new Use(0, 0, 0), Use::plus);
    List<List<String>> rows = new ArrayList<>();
    parts.forEach((part, use) -> rows.add(use.row(part)));
    rows.add(node.row("together"));
    return new Findings(
        "What a node gives",
        new Results(seconds, parts, node),
        List.of(
            "The whole loop runs and nothing else: the node is sampled and decided on ten times a"
                + " second, and its tier is empty and has its greatest capacity.",
            "Processor time is that of "
                + seconds
                + " s, memory that at their end, "
                + (warmSeconds + seconds)
                + " s after the start. Resident memory counts pages of files, also those that other"
                + " programs share."),
        List.of(
            new Goal(
                "adapter and collectd, of a core",
                "at most 1 %",
                node.percent(),
                node.cpuCores() <= GOAL_CORES),
            new Goal(
                "adapter and collectd, resident",
                "at most 120 MB",
                Use.megabytes(node.rssBytes()) + " MB",
                node.rssBytes() <= GOAL_BYTES)),
        List.of(
            new Table(
                "At rest",
                List.of("program", "of a core", "resident, MB", "of it in no file, MB"),
                rows)),
        List.of());
  }
}
