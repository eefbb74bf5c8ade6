package io.dynims.cli.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A line chart.
 *
 * @param series the lines, at least one of them with a point
 */
public record LinePlot(String name, String title, Axis x, Axis y, List<Series> series)
    implements Figure {

  /** A point in the units of the axes. */
  public record Point(double x, double y) {}

  /** A line. */
  public record Series(String label, List<Point> points) {}

  @Override
  public String svg() {
    Svg svg = new Svg(title, series.stream().map(Series::label).toList());
    Axis.Scale across = scale(x, Point::x);
    Axis.Scale up = scale(y, Point::y);
    svg.below(x.label(), across);
    svg.beside(y.label(), up);
    for (int i = 0; i < series.size(); i++) {
      svg.path(
          i,
          series.get(i).points().stream()
              .map(p -> new double[] {across.place(p.x()), up.place(p.y())})
              .toList());
    }
    return svg.toString();
  }

  @Override
  public String csv() {
    StringBuilder csv = new StringBuilder(Csv.line("series", x.label(), y.label()));
    for (Series each : series) {
      each.points().forEach(point -> csv.append(Csv.line(each.label(), point.x(), point.y())));
    }
    return csv.toString();
  }

  /** On a logarithmic axis, values that are not above 0 are put on its lower edge. */
  private Axis.Scale scale(Axis axis, ToDoubleFunction<Point> coordinate) {
    double[] values =
        series.stream()
            .flatMap(s -> s.points().stream())
            .mapToDouble(coordinate)
            .filter(value -> !axis.logarithmic() || value > 0)
            .sorted()
            .toArray();
    return values.length == 0 ? axis.over(1, 1) : axis.over(values[0], values[values.length - 1]);
  }
}
