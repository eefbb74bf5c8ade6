package io.dynims.experiments.bench.reaction;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.BarPlot;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import io.dynims.experiments.bench.Timings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Turns the measured reaction into findings. */
final class ReactionFindings {

  private static final double P99_GOAL_MILLIS = 20;
  private static final double RATIO_GOAL = 100;
  private static final int SLOWEST = 12;

  /** The JSON object. */
  private record Json(
      Side.Json dynims, Side.Json prototype, double ratioP99, double ratioP50, long seconds) {}

  private final StackSettings settings;
  private final ReactionOptions options;
  private final Side dynims;
  private final Side prototype;

  ReactionFindings(StackSettings settings, ReactionOptions options, Side dynims, Side prototype) {
    this.settings = settings;
    this.options = options;
    this.dynims = dynims;
    this.prototype = prototype;
  }

  Findings findings() {
    Percentiles ours = dynims.hops().whole().millis();
    Percentiles theirs = prototype.hops().whole().millis();
    double ratioP99 = ratio(theirs.p99(), ours.p99());
    return new Findings(
        "Reaction time",
        new Json(
            dynims.json(),
            prototype.json(),
            ratioP99,
            ratio(theirs.p50(), ours.p50()),
            options.seconds()),
        method(),
        List.of(
            new Goal(
                "memory sample to capacity in force, p99",
                "at most 20 ms",
                Percentiles.text(ours.p99()) + " ms",
                ours.count() > 0 && ours.p99() <= P99_GOAL_MILLIS),
            new Goal(
                "p99 of the prototype's design / p99 of DynIMS",
                "at least 100",
                Percentiles.text(ratioP99),
                ratioP99 >= RATIO_GOAL)),
        List.of(sides(), hops(dynims), hops(prototype), slowest(dynims)),
        figures());
  }

  private List<String> method() {
    return List.of(
        "One node, with every part of the loop and the load on one machine; a tier of "
            + Text.bytes(settings.tierMaxBytes())
            + " in tmpfs. Each design ran under the load for "
            + options.warmUpSeconds()
            + " s before it was measured for "
            + options.seconds()
            + " s.",
        dynims.realTime() && prototype.realTime()
            ? "The programs of the loop had real-time scheduling (`loop.realtime`), the load and Alluxio had not:"
                + " on a cluster, most of the loop is not on the node."
            : "The programs of the loop competed with the load on equal terms: real-time scheduling"
                + " (`loop.realtime`) was not available for all of them.",
        "Load: the node's budget is such that the full tier puts the node at the threshold, readers keep the tier full"
            + " and check every byte, and a job touches "
            + Text.bytes(TouchSteps.STEP_BYTES)
            + ", keeps them until the tier has released half as much, and frees them.",
        "Sample to capacity in force: from collectd's time of a sample until the adapter's answer to the first push"
            + " decided on it or on a later sample. Every sample that changed the capacity counts.",
        "Touch to freed: from the first touched page of a step until the tier's tmpfs has shrunk by a quarter of the"
            + " step (two blocks; one block may be evicted at any moment) and by half of it. Readers pause from 0.3 s before"
            + " the step (prototype: 4 s, so that earlier decisions have taken effect) until after it. The wait for the next"
            + " sample, up to 100 ms, is included; the law (λ = 0.5) removes half of a step at once.",
        "The prototype's design: the same source, law, sink and stack, but the job decides on the mean of each second"
            + " once a watermark one second behind the samples has passed it (`experiments/prototype`).",
        "Hops: the broker's times are those of its log (LogAppendTime); all clocks are the machine's, in"
            + " milliseconds.");
  }

  private Table sides() {
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
        List.of("figure", "DynIMS", "count", "prototype's design", "count", "p99 ratio"),
        rows);
  }

  private List<String> row(String figure, Function<Side, Timings> timings) {
    Percentiles ours = timings.apply(dynims).millis();
    Percentiles theirs = timings.apply(prototype).millis();
    return List.of(
        figure,
        ours.text(),
        Long.toString(ours.count()),
        theirs.text(),
        Long.toString(theirs.count()),
        Percentiles.text(ratio(theirs.p99(), ours.p99())));
  }

  private static Table hops(Side side) {
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

  private static Table slowest(Side side) {
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

  private List<Figure> figures() {
    return List.of(
        new LinePlot(
            "distribution",
            "From a memory sample to the capacity in force",
            Axis.log("1 / (1 − quantile): 10 is p90, 100 is p99"),
            Axis.log("ms"),
            List.of(
                new LinePlot.Series("DynIMS", dynims.hops().whole().distribution()),
                new LinePlot.Series(
                    "prototype's design", prototype.hops().whole().distribution()))),
        new BarPlot(
            "hops",
            "Mean time of every hop",
            Arrays.stream(Hops.Hop.values()).map(Hops.Hop::shortText).toList(),
            Axis.log("ms"),
            List.of(
                new BarPlot.Series("DynIMS", means(dynims)),
                new BarPlot.Series("prototype's design", means(prototype)))));
  }

  private static List<Double> means(Side side) {
    return side.hops().parts().values().stream().map(t -> t.millis().mean()).toList();
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * ratio);
  }

  private static double ratio(double dividend, double divisor) {
    return divisor > 0 ? Math.rint(dividend / divisor * 1e3) / 1e3 : 0;
  }
}
