package io.dynims.experiments.bench;

import java.util.List;

/**
 * What a benchmark found.
 *
 * @param title of the report
 * @param json becomes the JSON object; a record or a map
 * @param method how it was measured, in sentences: load, warm-up, what each figure means
 * @param goals what was to be reached
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

  /** Copies what it is given. */
  public Findings {
    method = List.copyOf(method);
    goals = List.copyOf(goals);
    tables = List.copyOf(tables);
    figures = List.copyOf(figures);
  }
}
