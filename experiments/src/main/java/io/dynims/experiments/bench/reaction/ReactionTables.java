package io.dynims.experiments.bench.reaction;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.BarPlot;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import io.dynims.experiments.bench.Timings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Tables, figures and words that describe two reactions beside each other. */
final class ReactionTables {

  static final String LOAD =
      "Load: the node's budget is such that the full tier puts the node at the threshold, readers keep the tier full"
          + " and check every byte, and a job touches "
          + Text.bytes(TouchSteps.STEP_BYTES)
          + ", keeps them until the tier has released half as much, and frees them. The node's guard does not brake below the"
          + " node's memory, since after it has, pushes grow the tier slowly only.";

  static final String SAMPLE_TO_FORCE =
      "Sample to capacity in force: from collectd's time of a sample until the adapter's answer to the first push"
          + " decided on it or on a later sample. Every sample that changed the capacity counts.";

  static final String HOPS =
      "Hops: the broker's times are those of its log (LogAppendTime); all clocks are the machine's, in"
          + " milliseconds.";

  private static final int SLOWEST = 12;

  private final String firstName;
  private final Side first;
  private final String secondName;
  private final Side second;

  ReactionTables(String firstName, Side first, String secondName, Side second) {
    this.firstName = firstName;
    this.first = first;
    this.secondName = secondName;
    this.second = second;
  }

  static String scheduling(Side first, Side second) {
    return first.realTime() && second.realTime()
        ? "The programs of the loop had real-time scheduling (`loop.realtime`), the load and Alluxio had not:"
            + " on a cluster, most of the loop is not on the node."
        : "The programs of the loop competed with the load on equal terms: real-time scheduling"
            + " (`loop.realtime`) was not available for all of them.";
  }

  Table sides() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("memory sample → capacity in force", side -> side.hops().whole()));
    rows.add(
        row(
            "age of the tier's answer that a decision is based on",
            side -> side.hops().answerAge()));
    rows.add(row("page touched → a quarter of the step freed", side -> side.touches().first()));
    rows.add(row("page touched → half of the step freed", side -> side.touches().half()));
    return new Table(
        "Reaction, p50 / p99 / max, ms",
        List.of("figure", firstName, "count", secondName, "count", "p99 ratio"),
        rows);
  }

  private List<String> row(String figure, Function<Side, Timings> timings) {
    Percentiles ours = timings.apply(first).millis();
    Percentiles theirs = timings.apply(second).millis();
    return List.of(
        figure,
        ours.text(),
        Long.toString(ours.count()),
        theirs.text(),
        Long.toString(theirs.count()),
        Percentiles.text(ratio(theirs.p99(), ours.p99())));
  }

  Table hops(Side side) {
    double wholeMillis = side.hops().whole().millis().mean();
    List<List<String>> rows = new ArrayList<>();
    side.hops()
        .parts()
        .forEach(
            (hop, timings) -> {
              Percentiles millis = timings.millis();
              rows.add(
                  List.of(
                      hop.text(),
                      millis.text(),
                      Percentiles.text(millis.mean()),
                      percent(ratio(millis.mean(), wholeMillis))));
            });
    rows.add(
        List.of(
            "part of the last: controller → adapter → worker → answer",
            "–",
            Percentiles.text(side.pushMeanMillis()),
            percent(ratio(side.pushMeanMillis(), wholeMillis))));
    return new Table(
        "Share of every hop: " + side.name(),
        List.of("hop", "p50 / p99 / max, ms", "mean, ms", "share"),
        rows);
  }

  Table slowest(Side side) {
    List<String> head = new ArrayList<>(List.of("total", "change of capacity, MiB"));
    Arrays.stream(Hops.Hop.values()).map(Hops.Hop::text).forEach(head::add);
    return new Table(
        "The slowest samples, ms: " + side.name(),
        head,
        side.hops().slowest(SLOWEST).stream()
            .map(
                path -> {
                  List<String> row = new ArrayList<>();
                  row.add(Long.toString(path.wholeMillis()));
                  row.add(Percentiles.text(path.changeBytes() / (double) (1 << 20)));
                  path.partsMillis().forEach(millis -> row.add(Long.toString(millis)));
                  return row;
                })
            .toList());
  }

  List<Figure> figures() {
    return List.of(
        new LinePlot(
            "distribution",
            "From a memory sample to the capacity in force",
            Axis.log("1 / (1 − quantile): 10 is p90, 100 is p99"),
            Axis.log("ms"),
            List.of(
                new LinePlot.Series(firstName, first.hops().whole().distribution()),
                new LinePlot.Series(secondName, second.hops().whole().distribution()))),
        new BarPlot(
            "hops",
            "Mean time of every hop",
            Arrays.stream(Hops.Hop.values()).map(Hops.Hop::shortText).toList(),
            Axis.log("ms"),
            List.of(
                new BarPlot.Series(firstName, means(first)),
                new BarPlot.Series(secondName, means(second)))));
  }

  private static List<Double> means(Side side) {
    return side.hops().parts().values().stream().map(t -> t.millis().mean()).toList();
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * ratio);
  }

  static double ratio(double dividend, double divisor) {
    return divisor > 0 ? Math.rint(dividend / divisor * 1e3) / 1e3 : 0;
  }
}
