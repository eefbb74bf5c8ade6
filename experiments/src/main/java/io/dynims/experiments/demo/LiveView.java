package io.dynims.experiments.demo;

import java.io.PrintStream;
import java.time.Clock;
import java.util.List;
import java.util.Locale;

/** Shows progress: live bars in a terminal, otherwise one line a second. */
final class LiveView {

  /**
   * What is shown.
   *
   * @param phase what the demo is doing now
   * @param budgetBytes the node's memory budget
   * @param jobBytes the memory of the burst
   * @param capacityBytes the tier's capacity
   * @param usedBytes the tier's data
   * @param tierMaxBytes the tier's maximum capacity
   * @param memoryUsedBytes memory in use on the node
   * @param threshold r0
   * @param reaction the reaction in the last seconds
   * @param lastDecision the reason of the last decision
   * @param reads the counts of reads, as text
   */
  record Frame(
      String phase,
      long budgetBytes,
      long jobBytes,
      long capacityBytes,
      long usedBytes,
      long tierMaxBytes,
      long memoryUsedBytes,
      double threshold,
      ReactionMillis reaction,
      String lastDecision,
      String reads) {

    double utilization() {
      return budgetBytes == 0 ? 0 : (double) memoryUsedBytes / budgetBytes;
    }
  }

  private static final long LINE_EVERY_MILLIS = 1_000;
  private static final int BAR_COLUMNS = 40;
  private static final int TEXT_COLUMNS = 100;

  private final PrintStream out;
  private final boolean terminal;
  private final Clock clock;
  private int linesShown;
  private long lastLineMillis;

  LiveView(PrintStream out, boolean terminal, Clock clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
  }

  /** Prints a line that stays on the screen. */
  void print(String text) {
    out.println(text);
    out.flush();
    linesShown = 0;
  }

  void show(Frame frame) {
    if (terminal) {
      redraw(lines(frame));
    } else if (clock.millis() - lastLineMillis >= LINE_EVERY_MILLIS) {
      lastLineMillis = clock.millis();
      print(line(frame));
    }
  }

  private void redraw(List<String> lines) {
    StringBuilder screen = new StringBuilder();
    if (linesShown > 0) {
      screen.append("\u001b[").append(linesShown).append('A');
    }
    for (String line : lines) {
      screen.append("\r\u001b[K").append(line).append('\n');
    }
    out.print(screen);
    out.flush();
    linesShown = lines.size();
  }

  static List<String> lines(Frame p) {
    long freeBytes = Math.max(0, p.budgetBytes() - p.memoryUsedBytes());
    return List.of(
        "  " + p.phase(),
        bar("job memory", p.jobBytes(), p.jobBytes(), p.tierMaxBytes(), ""),
        bar(
            "tier",
            p.usedBytes(),
            p.capacityBytes(),
            p.tierMaxBytes(),
            String.format(Locale.ROOT, "of %d MiB", Judge.mebibytes(p.capacityBytes()))),
        bar("free", freeBytes, freeBytes, p.tierMaxBytes(), ""),
        String.format(
            Locale.ROOT,
            "  %-11s %.4f  threshold %.2f",
            "utilization",
            p.utilization(),
            p.threshold()),
        "  decision    " + shorten(p.lastDecision()),
        String.format(
            Locale.ROOT,
            "  %-11s p50 %d ms  p99 %d ms",
            "reaction",
            p.reaction().p50(),
            p.reaction().p99()),
        "  reads       " + p.reads());
  }

  static String line(Frame p) {
    return String.format(
        Locale.ROOT,
        "%-26s job %5d MiB  tier %5d of %5d MiB  utilization %.4f of %.2f"
            + "  reaction p50 %d p99 %d ms  %s",
        p.phase(),
        Judge.mebibytes(p.jobBytes()),
        Judge.mebibytes(p.usedBytes()),
        Judge.mebibytes(p.capacityBytes()),
        p.utilization(),
        p.threshold(),
        p.reaction().p50(),
        p.reaction().p99(),
        p.reads());
  }

  /**
   * Draws the filled part as #, the rest up to the limit as -, and the rest up to the full width as
   * blanks.
   */
  private static String bar(
      String name, long filledBytes, long limitBytes, long fullBytes, String more) {
    int filled = columns(filledBytes, fullBytes);
    int limit = Math.max(filled, columns(limitBytes, fullBytes));
    return String.format(
        Locale.ROOT,
        "  %-11s [%s%s%s] %d MiB %s",
        name,
        "#".repeat(filled),
        "-".repeat(limit - filled),
        " ".repeat(BAR_COLUMNS - limit),
        Judge.mebibytes(filledBytes),
        more);
  }

  private static int columns(long bytes, long fullBytes) {
    double part = fullBytes == 0 ? 0 : (double) bytes / fullBytes;
    return (int) Math.round(BAR_COLUMNS * Math.max(0, Math.min(1, part)));
  }

  private static String shorten(String text) {
    return text.length() <= TEXT_COLUMNS ? text : text.substring(0, TEXT_COLUMNS - 3) + "...";
  }
}
