package io.dynims.experiments.bench.tier;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.experiments.bench.BarPlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The plots of the study. */
final class StudyFigures {

  private final StudyOptions options;
  private final StudyResults results;
  private final Map<NetCdfCell, CellResult> netCdf;

  StudyFigures(StudyOptions options, StudyResults results, Map<NetCdfCell, CellResult> netCdf) {
    this.options = options;
    this.results = results;
    this.netCdf = netCdf;
  }

  List<Figure> figures() {
    int processes = options.fewestProcesses();
    List<Figure> figures = new ArrayList<>();
    for (String series : List.of("sequential read", "random read", "sequential write")) {
      figures.add(
          new LinePlot(
              series.replace(' ', '-'),
              series + (processes == 1 ? ", one process" : ", " + processes + " processes"),
              Axis.log("KiB an operation"),
              Axis.log("MiB/s"),
              lines(
                  kind ->
                      points(
                          options.blockBytes(),
                          block -> block >> 10,
                          block -> results.rate(kind, series, block, processes)))));
    }
    if (options.processes().size() > 1) {
      int block = options.blockBytes().get(options.blockBytes().size() - 1);
      figures.add(
          new LinePlot(
              "processes",
              "Random reads of " + StudyTables.size(block) + " by several processes",
              Axis.linear("processes"),
              Axis.log("MiB/s"),
              lines(
                  kind ->
                      points(
                          options.processes(),
                          count -> count,
                          count -> results.rate(kind, "random read", block, count)))));
    }
    for (int block : options.blockBytes()) {
      figures.add(
          density(
              "density-" + (block >> 10) + "KiB",
              "Random reads of " + StudyTables.size(block) + ", share of operations",
              lines(kind -> density(kind, block))));
      figures.add(
          density(
              "density-netcdf-" + (block >> 10) + "KiB",
              "NetCDF-4, accesses of " + StudyTables.size(block) + ", share of accesses",
              netCdfLines(block)));
    }
    options.blockBytes().forEach(block -> figures.add(resizing(block)));
    return figures.stream().filter(StudyFigures::hasData).toList();
  }

  private static Figure density(String name, String title, List<LinePlot.Series> lines) {
    return new LinePlot(name, title, Axis.log("µs"), Axis.linear("share"), lines);
  }

  private static boolean hasData(Figure figure) {
    return !(figure instanceof LinePlot plot && plot.series().isEmpty())
        && !(figure instanceof BarPlot bars && bars.groups().isEmpty());
  }

  private List<LinePlot.Series> lines(Function<AccessKind, List<LinePlot.Point>> points) {
    return options.kinds().stream()
        .map(kind -> new LinePlot.Series(kind.label(), points.apply(kind)))
        .filter(series -> !series.points().isEmpty())
        .toList();
  }

  /** Those with a rate. */
  private static List<LinePlot.Point> points(
      List<Integer> places, ToDoubleFunction<Integer> x, ToDoubleFunction<Integer> rate) {
    return places.stream()
        .map(place -> new LinePlot.Point(x.applyAsDouble(place), rate.applyAsDouble(place)))
        .filter(point -> point.y() > 0)
        .toList();
  }

  private List<LinePlot.Point> density(AccessKind kind, int block) {
    return results
        .find(kind, "random read", block, options.fewestProcesses(), StudyState.Rest)
        .filter(result -> result.error() == null)
        .map(StudyFigures::densityPoints)
        .orElse(List.of());
  }

  /** One form, as the others resemble it. */
  private List<LinePlot.Series> netCdfLines(int block) {
    return netCdf.entrySet().stream()
        .filter(
            each ->
                each.getKey().blockBytes() == block
                    && each.getKey().chunked()
                    && each.getKey().collective()
                    && each.getKey().processes() == options.fewestProcesses())
        .map(
            each ->
                new LinePlot.Series(
                    (each.getKey().write() ? "write" : "read")
                        + (each.getKey().cached() ? ", cached" : ", under store"),
                    densityPoints(each.getValue())))
        .filter(series -> !series.points().isEmpty())
        .toList();
  }

  private static List<LinePlot.Point> densityPoints(CellResult result) {
    List<LinePlot.Point> points = new ArrayList<>();
    int[] density = result.density();
    double all = Math.max(1, Arrays.stream(density).sum());
    for (int bin = 0; bin < density.length; bin++) {
      boolean beside =
          density[bin] > 0
              || (bin > 0 && density[bin - 1] > 0)
              || (bin + 1 < density.length && density[bin + 1] > 0);
      if (beside) {
        points.add(new LinePlot.Point(CellResult.micros(bin), density[bin] / all));
      }
    }
    return points;
  }

  private Figure resizing(int block) {
    List<StudyCell> undisturbed =
        results.byCell().keySet().stream()
            .filter(cell -> cell.state() == StudyState.Undisturbed)
            .filter(cell -> cell.blockBytes() == block)
            .toList();
    List<BarPlot.Series> series =
        Stream.of(StudyState.values())
            .filter(state -> state.isLasting() && state != StudyState.Undisturbed)
            .filter(state -> results.byCell().keySet().stream().anyMatch(c -> c.state() == state))
            .map(
                state ->
                    new BarPlot.Series(
                        state.label(),
                        undisturbed.stream()
                            .map(cell -> results.tail(cell.kind(), block, state))
                            .toList()))
            .toList();
    return new BarPlot(
        "p99-" + (block >> 10) + "KiB",
        "p99 of reads of "
            + StudyTables.size(block)
            + " while the tier is resized, times undisturbed",
        undisturbed.stream().map(cell -> cell.kind().label()).toList(),
        Axis.linear("times"),
        series);
  }
}
