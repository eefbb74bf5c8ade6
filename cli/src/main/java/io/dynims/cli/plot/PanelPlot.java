package io.dynims.cli.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * Line charts below each other that share their horizontal axis.
 *
 * @param xLabel what the horizontal axis shows, with its unit
 * @param legend the names of the colours
 * @param panels the charts, from above, at least one
 */
public record PanelPlot(
    String name, String title, String xLabel, List<String> legend, List<Panel> panels)
    implements Figure {

  /**
   * A chart.
   *
   * @param label what it shows, with the unit
   * @param from where its vertical axis starts; lower values are put on its edge
   */
  public record Panel(String label, double from, List<Mark> marks, List<Curve> curves) {

    /** A chart whose vertical axis starts at 0. */
    public Panel(String label, List<Mark> marks, List<Curve> curves) {
      this(label, 0, marks, curves);
    }
  }

  /** A value to be marked by a line across the chart. */
  public record Mark(double value, String name) {}

  /**
   * A line.
   *
   * @param colour the place of its name in the legend, from 0
   */
  public record Curve(int colour, boolean thin, List<LinePlot.Point> points) {}

  /** More points than this to the width of a chart cannot be told apart. */
  private static final int STEPS = (int) Svg.WIDTH;

  @Override
  public String svg() {
    Svg svg = new Svg(title, legend, panels.size());
    Axis.Scale across = Axis.linear(xLabel).over(0, greatest(panels, true));
    for (int i = 0; i < panels.size(); i++) {
      Panel panel = panels.get(i);
      Axis.Scale up =
          Axis.linearFrom(panel.label(), panel.from()).over(0, greatest(List.of(panel), false));
      svg.area(i);
      svg.below(i == panels.size() - 1 ? xLabel : "", across);
      svg.beside(panel.label(), up);
      panel.marks().forEach(mark -> svg.mark(up.place(mark.value()), mark.name()));
      for (Curve curve : panel.curves()) {
        List<double[]> places =
            thinned(
                curve.points().stream()
                    .map(p -> new double[] {across.place(p.x()), up.place(p.y())})
                    .toList());
        if (curve.thin()) {
          svg.thinPath(curve.colour(), places);
        } else {
          svg.path(curve.colour(), places);
        }
      }
    }
    return svg.toString();
  }

  private static double greatest(List<Panel> panels, boolean across) {
    double greatest = 0;
    for (Panel panel : panels) {
      for (Mark mark : across ? List.<Mark>of() : panel.marks()) {
        greatest = Math.max(greatest, mark.value());
      }
      for (Curve curve : panel.curves()) {
        for (LinePlot.Point point : curve.points()) {
          greatest = Math.max(greatest, across ? point.x() : point.y());
        }
      }
    }
    return greatest;
  }

  /** Of each step of the width the lowest and the highest place, in their order. */
  private static List<double[]> thinned(List<double[]> places) {
    if (places.size() <= 2 * STEPS) {
      return places;
    }
    List<double[]> kept = new ArrayList<>();
    int from = 0;
    while (from < places.size()) {
      int step = (int) (places.get(from)[0] * STEPS);
      int low = from;
      int high = from;
      int to = from;
      while (to < places.size() && (int) (places.get(to)[0] * STEPS) == step) {
        low = places.get(to)[1] < places.get(low)[1] ? to : low;
        high = places.get(to)[1] > places.get(high)[1] ? to : high;
        to++;
      }
      kept.add(places.get(Math.min(low, high)));
      if (low != high) {
        kept.add(places.get(Math.max(low, high)));
      }
      from = to;
    }
    return kept;
  }
}
