package io.dynims.experiments.bench;

import io.dynims.cli.plot.Figure;
import java.util.List;

/**
 * The findings of a benchmark.
 *
 * @param title the title of the report
 * @param json the content of the JSON object; a record or a map
 * @param method how it was measured, in sentences: load, warm-up, what each figure means
 * @param goals the goals and whether they were met
 * @param tables the figures
 * @param figures the plots
 */
public record Findings(
    String title,
    Object json,
    List<String> method,
    List<Goal> goals,
    List<Table> tables,
    List<Figure> figures) {

  /** Copies the lists. */
  public Findings {
    method = List.copyOf(method);
    goals = List.copyOf(goals);
    tables = List.copyOf(tables);
    figures = List.copyOf(figures);
  }

  /** The goals that must hold and do not. */
  public List<Goal> broken() {
    return goals.stream().filter(Goal::isBroken).toList();
  }
}
