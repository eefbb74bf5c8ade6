package io.dynims.experiments.bench;

import io.dynims.cli.stack.Text;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of a report.
 *
 * @param caption what it shows, with units and conditions
 * @param head the column names
 * @param rows the rows, each as long as the head
 */
public record Table(String caption, List<String> head, List<List<String>> rows) {

  /** Copies the lists. */
  public Table {
    head = List.copyOf(head);
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** Lines for a terminal. */
  List<String> text() {
    List<List<String>> all = new ArrayList<>();
    all.add(head);
    all.addAll(rows);
    return Text.table(all);
  }

  /** Lines of Markdown. */
  List<String> markdown() {
    List<String> lines = new ArrayList<>();
    lines.add(line(head));
    lines.add("|" + " --- |".repeat(head.size()));
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  private static String line(List<String> cells) {
    return "| "
        + String.join(" | ", cells.stream().map(c -> c.replace("|", "\\|")).toList())
        + " |";
  }
}
