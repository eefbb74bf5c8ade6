package io.dynims.experiments.bench;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plots below each other in one document.
 *
 * @param plots the plots, from top to bottom
 */
public record PlotColumn(String name, String title, List<LinePlot> plots) implements Figure {

  private static final Pattern SIZE = Pattern.compile(" width=\"(\\d+)\" height=\"(\\d+)\"");

  @Override
  public String svg() {
    StringBuilder body = new StringBuilder();
    int width = 0;
    int height = 0;
    for (LinePlot plot : plots) {
      String svg = plot.svg();
      Matcher size = SIZE.matcher(svg);
      if (!size.find()) {
        throw new IllegalStateException("a plot without a size");
      }
      body.append("<svg y=\"").append(height).append('"').append(svg.substring("<svg".length()));
      width = Math.max(width, Integer.parseInt(size.group(1)));
      height += Integer.parseInt(size.group(2));
    }
    String head =
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %1$d %2$d\""
                + " width=\"%1$d\" height=\"%2$d\">%n",
            width,
            height);
    return head + body + "</svg>\n";
  }
}
