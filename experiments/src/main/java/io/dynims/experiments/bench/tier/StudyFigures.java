package io.dynims.experiments.bench.tier;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.experiments.bench.BarPlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The plots of the study. */
final class StudyFigures {

  private final StudyOptions options;
  private final StudyResults results;

  StudyFigures(StudyOptions options, StudyResults results) {
    this.options = options;
    this.results = results;
  }

  List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (String series : List.of("sequential read", "random read", "sequential write")) {
      figures.add(
          new LinePlot(
              series.replace(' ', '-'),
              series + ", one process",
              Axis.log("KiB an operation"),
              Axis.log("MiB/s"),
              lines(kind -> ratePoints(kind, series))));
    }
    for (int block : options.blockBytes()) {
      figures.add(
          new LinePlot(
              "density-" + (block >> 10) + "KiB",
              "Random reads of " + (block >> 10) + " KiB, share of operations",
              Axis.log("µs"),
              Axis.linear("share"),
              lines(kind -> densityPoints(kind, block))));
    }
    figures.add(resizing());
    return figures.stream().filter(StudyFigures::hasData).toList();
  }

  private static boolean hasData(Figure figure) {
    return !(figure instanceof LinePlot plot && plot.series().isEmpty())
        && !(figure instanceof BarPlot bars && bars.groups().isEmpty());
  }

  /** The points of one line. */
  private interface Points {
    List<LinePlot.Point> of(AccessKind kind);
  }

  private List<LinePlot.Series> lines(Points points) {
    return options.kinds().stream()
        .map(kind -> new LinePlot.Series(kind.label(), points.of(kind)))
        .filter(series -> !series.points().isEmpty())
        .toList();
  }

  private List<LinePlot.Point> ratePoints(AccessKind kind, String series) {
    return options.blockBytes().stream()
        .map(
            block ->
                results
                    .find(kind, series, block, 1, StudyState.Rest)
                    .filter(result -> result.error() == null)
                    .map(r -> new LinePlot.Point(block >> 10, r.rate(r.accessSeconds())))
                    .orElse(null))
        .filter(Objects::nonNull)
        .toList();
  }

  private List<LinePlot.Point> densityPoints(AccessKind kind, int block) {
    CellResult result = results.find(kind, "random read", block, 1, StudyState.Rest).orElse(null);
    List<LinePlot.Point> points = new ArrayList<>();
    if (result == null || result.error() != null) {
      return points;
    }
    double all = Math.max(1, Arrays.stream(result.density()).sum());
    for (int bin = 0; bin < result.density().length; bin++) {
      boolean beside =
          result.density()[bin] > 0
              || (bin > 0 && result.density()[bin - 1] > 0)
              || (bin + 1 < result.density().length && result.density()[bin + 1] > 0);
      if (beside) {
        points.add(new LinePlot.Point(CellResult.micros(bin), result.density()[bin] / all));
      }
    }
    return points;
  }

  private Figure resizing() {
    List<String> groups = new ArrayList<>();
    List<Double> halved = new ArrayList<>();
    List<Double> swinging = new ArrayList<>();
    for (AccessKind kind : options.kinds()) {
      for (int block : options.blockBytes()) {
        if (results.disturbed(kind, block, StudyState.Undisturbed).isPresent()) {
          groups.add(kind.name() + " " + (block >> 10));
          halved.add(results.slowDown(kind, block, StudyState.Halved));
          swinging.add(results.slowDown(kind, block, StudyState.Swinging));
        }
      }
    }
    return new BarPlot(
        "resizing",
        "Readers' p99 while the tier is resized, times that undisturbed",
        groups,
        Axis.linear("times"),
        List.of(new BarPlot.Series("halved", halved), new BarPlot.Series("swinging", swinging)));
  }
}
