package io.dynims.cli.plot;

import java.util.List;
import java.util.Locale;

/**
 * An SVG document with a title, one or more plotting areas below each other, and a legend. Its
 * colours follow the page's colour scheme; lines also differ in their dashes, for readers who do
 * not see all colours.
 */
public final class Svg {

  static final double LEFT = 70;
  static final double TOP = 44;
  static final double WIDTH = 590;
  static final double HEIGHT = 300;

  private static final double RIGHT = 20;
  private static final double BELOW = 58;
  private static final double LEGEND_LINE = 18;
  private static final double AREA = HEIGHT + 40;
  private static final int COLOURS = 8;
  private static final String STYLE =
      """
      text { font: 12px sans-serif; fill: #24292f; }
      .title { font-size: 14px; font-weight: bold; }
      .grid { stroke: #d0d7de; stroke-width: 1; }
      .axis { stroke: #57606a; stroke-width: 1; }
      .line { fill: none; stroke-width: 2; }
      .thin { stroke-width: 1; }
      .mark { stroke: #cf222e; stroke-width: 1; stroke-dasharray: 1 3; } .small { font-size: 10px; }
      .c0 { stroke: #0969da; } .f0 { fill: #0969da; }
      .c1 { stroke: #bc4c00; stroke-dasharray: 7 4; } .f1 { fill: #bc4c00; }
      .c2 { stroke: #116329; stroke-dasharray: 2 3; } .f2 { fill: #116329; }
      .c3 { stroke: #8250df; stroke-dasharray: 10 3 2 3; } .f3 { fill: #8250df; }
      .c4 { stroke: #7d4e00; stroke-dasharray: 4 2; } .f4 { fill: #7d4e00; }
      .c5 { stroke: #57606a; stroke-dasharray: 1 4; } .f5 { fill: #57606a; }
      .c6 { stroke: #bf3989; stroke-dasharray: 12 3; } .f6 { fill: #bf3989; }
      .c7 { stroke: #0a7b83; stroke-dasharray: 5 2 1 2; } .f7 { fill: #0a7b83; }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .grid { stroke: #30363d; }
        .axis { stroke: #8b949e; }
        .mark { stroke: #ff7b72; }
        .c0 { stroke: #58a6ff; } .f0 { fill: #58a6ff; }
        .c1 { stroke: #f0883e; } .f1 { fill: #f0883e; }
        .c2 { stroke: #56d364; } .f2 { fill: #56d364; }
        .c3 { stroke: #bc8cff; } .f3 { fill: #bc8cff; }
        .c4 { stroke: #d29922; } .f4 { fill: #d29922; }
        .c5 { stroke: #8b949e; } .f5 { fill: #8b949e; }
        .c6 { stroke: #f778ba; } .f6 { fill: #f778ba; }
        .c7 { stroke: #39c5cf; } .f7 { fill: #39c5cf; }
      }
      """;

  private final StringBuilder body = new StringBuilder();
  private final List<String> legend;
  private final double bottom;

  /** The upper edge of the plotting area in use. */
  private double top = TOP;

  private boolean hasBars;

  /**
   * A document with one plotting area and nothing plotted yet.
   *
   * @param legend the names of the series; a single series gets no legend
   */
  public Svg(String title, List<String> legend) {
    this(title, legend.size() > 1 ? legend : List.of(), 1);
  }

  /**
   * A document with nothing plotted yet; the first plotting area is in use.
   *
   * @param legend the names of the series
   * @param areas how many plotting areas it has, at least 1
   */
  public Svg(String title, List<String> legend, int areas) {
    this.legend = List.copyOf(legend);
    bottom = TOP + AREA * (areas - 1) + HEIGHT + BELOW;
    text(LEFT, 22, "start", "title", title);
  }

  /** Uses another plotting area from now on; the first is 0. */
  public void area(int index) {
    top = TOP + AREA * index;
  }

  /** An axis below the plot. */
  public void below(String label, Axis.Scale scale) {
    for (double tick : scale.ticks()) {
      double x = LEFT + WIDTH * scale.place(tick);
      line(x, top, x, top + HEIGHT, "grid");
      text(x, top + HEIGHT + 16, "middle", "", Axis.Scale.label(tick));
    }
    text(LEFT + WIDTH / 2, top + HEIGHT + 36, "middle", "", label);
  }

  /** An axis beside the plot. */
  public void beside(String label, Axis.Scale scale) {
    for (double tick : scale.ticks()) {
      double y = top + HEIGHT * (1 - scale.place(tick));
      line(LEFT, y, LEFT + WIDTH, y, "grid");
      text(LEFT - 8, y + 4, "end", "", Axis.Scale.label(tick));
    }
    line(LEFT, top, LEFT, top + HEIGHT, "axis");
    line(LEFT, top + HEIGHT, LEFT + WIDTH, top + HEIGHT, "axis");
    body.append(
        format(
            "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
            top + HEIGHT / 2, escaped(label)));
  }

  /** A line through places in the plot, each x and y between 0 and 1. */
  public void path(int colour, List<double[]> places) {
    path("line c" + colour % COLOURS, places);
  }

  /** The same as a thin line. */
  public void thinPath(int colour, List<double[]> places) {
    path("line thin c" + colour % COLOURS, places);
  }

  /** A line across the plot at a height between 0 and 1, with its name at its right. */
  public void mark(double place, String name) {
    double y = top + HEIGHT * (1 - place);
    line(LEFT, y, LEFT + WIDTH, y, "mark");
    text(LEFT + WIDTH + 3, y + 3, "start", "small", name);
  }

  private void path(String type, List<double[]> places) {
    StringBuilder points = new StringBuilder();
    for (double[] place : places) {
      points.append(format("%.1f,%.1f ", LEFT + WIDTH * place[0], top + HEIGHT * (1 - place[1])));
    }
    body.append(
        format("<polyline class=\"%s\" points=\"%s\"/>%n", type, points.toString().strip()));
  }

  /** A bar from the bottom of the plot up to a place, with a text above it. */
  public void bar(int colour, double fromX, double toX, double toY, String above) {
    double x = LEFT + WIDTH * fromX;
    double width = WIDTH * (toX - fromX);
    double y = top + HEIGHT * (1 - toY);
    hasBars = true;
    body.append(barElement(colour, x, y, width, top + HEIGHT - y));
    text(x + width / 2, y - 4, "middle", "small", above);
  }

  /** A text below the plot, at a place between 0 and 1. */
  public void label(double place, String text) {
    text(LEFT + WIDTH * place, top + HEIGHT + 16, "middle", "", text);
  }

  @Override
  public String toString() {
    double height = bottom + LEGEND_LINE * legend.size();
    return format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %.0f %.0f\""
                + " width=\"%.0f\" height=\"%.0f\">%n<style>%n%s</style>%n",
            LEFT + WIDTH + RIGHT, height, LEFT + WIDTH + RIGHT, height, STYLE)
        + body
        + legendElements()
        + "</svg>\n";
  }

  /** Lines have a piece of line beside their names, bars a piece of bar. */
  private String legendElements() {
    StringBuilder elements = new StringBuilder();
    for (int i = 0; i < legend.size(); i++) {
      double y = bottom + LEGEND_LINE * i - 4;
      elements
          .append(
              hasBars
                  ? barElement(i, LEFT, y - 10, 28, 11)
                  : lineElement(LEFT, y - 4, LEFT + 28, y - 4, "line c" + i % COLOURS))
          .append(textElement(LEFT + 36, y, "start", "", legend.get(i)));
    }
    return elements.toString();
  }

  private void line(double x1, double y1, double x2, double y2, String type) {
    body.append(lineElement(x1, y1, x2, y2, type));
  }

  private void text(double x, double y, String anchor, String type, String text) {
    body.append(textElement(x, y, anchor, type, text));
  }

  private static String lineElement(double x1, double y1, double x2, double y2, String type) {
    return format(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
        type, x1, y1, x2, y2);
  }

  private static String barElement(int colour, double x, double y, double width, double height) {
    return format(
        "<rect class=\"f%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>%n",
        colour % COLOURS, x, y, width, height);
  }

  private static String textElement(double x, double y, String anchor, String type, String text) {
    String attribute = type.isEmpty() ? "" : " class=\"" + type + "\"";
    return format(
        "<text%s x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
        attribute, x, y, anchor, escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
