package io.dynims.experiments.bench;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Csv;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.Svg;
import java.util.List;

/**
 * A bar chart with a group of bars for each name below the axis.
 *
 * @param groups the names of the groups
 * @param y the vertical axis
 * @param series a bar in each group
 */
public record BarPlot(String name, String title, List<String> groups, Axis y, List<Series> series)
    implements Figure {

  private static final double GAP = 0.2;

  /** The bars of one colour, one value for each group. */
  public record Series(String label, List<Double> values) {}

  @Override
  public String svg() {
    Svg svg = new Svg(title, series.stream().map(Series::label).toList());
    Axis.Scale up = scale();
    svg.beside(y.label(), up);
    double group = 1.0 / groups.size();
    double bar = group * (1 - GAP) / series.size();
    for (int i = 0; i < groups.size(); i++) {
      svg.label((i + 0.5) * group, groups.get(i));
      for (int j = 0; j < series.size(); j++) {
        double from = i * group + group * GAP / 2 + j * bar;
        double value = series.get(j).values().get(i);
        svg.bar(j, from, from + bar, up.place(value), Percentiles.text(value));
      }
    }
    return svg.toString();
  }

  @Override
  public String csv() {
    StringBuilder csv = new StringBuilder(Csv.line("group", "series", y.label()));
    for (Series each : series) {
      for (int i = 0; i < groups.size(); i++) {
        csv.append(Csv.line(groups.get(i), each.label(), each.values().get(i)));
      }
    }
    return csv.toString();
  }

  private Axis.Scale scale() {
    double[] values =
        series.stream()
            .flatMap(s -> s.values().stream())
            .mapToDouble(Double::doubleValue)
            .filter(value -> !y.logarithmic() || value > 0)
            .sorted()
            .toArray();
    return values.length == 0 ? y.over(1, 1) : y.over(values[0], values[values.length - 1]);
  }
}
