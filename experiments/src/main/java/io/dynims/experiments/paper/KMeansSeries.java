package io.dynims.experiments.paper;

import static io.dynims.experiments.paper.PaperFigures.text;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * The total time of K-means in several setups while one thing is varied.
 *
 * @param unit of what is varied
 * @param unitValue how much a unit is in the values
 * @param setups those that were measured, the static and the elastic tier among them
 */
record KMeansSeries(
    String name,
    String title,
    String unit,
    double unitValue,
    List<Long> values,
    List<MemorySetup> setups,
    Lookup lookup) {

  /** Finds a run. */
  interface Lookup {
    RunResult run(MemorySetup setup, long value);
  }

  Table table() {
    List<String> head = new ArrayList<>(List.of(unit));
    for (MemorySetup setup : setups) {
      head.add(setup.paperName());
    }
    head.add("static to elastic");
    List<List<String>> rows = new ArrayList<>();
    for (long value : values) {
      List<String> row = new ArrayList<>(List.of(text(value / unitValue)));
      for (MemorySetup setup : setups) {
        row.add(text(seconds(setup, value)));
      }
      double elastic = seconds(MemorySetup.Elastic, value);
      row.add(text(seconds(MemorySetup.StaticTier, value) / elastic));
      rows.add(row);
    }
    return new Table(title + ", s", head, rows);
  }

  Figure plot() {
    List<LinePlot.Series> series =
        setups.stream()
            .map(
                setup ->
                    new LinePlot.Series(
                        setup.paperName(),
                        values.stream()
                            .map(v -> new LinePlot.Point(v / unitValue, seconds(setup, v)))
                            .toList()))
            .toList();
    return new LinePlot(name, title, Axis.linear(unit), Axis.linear("s"), series);
  }

  private double seconds(MemorySetup setup, long value) {
    return PaperResults.seconds(lookup.run(setup, value));
  }
}
