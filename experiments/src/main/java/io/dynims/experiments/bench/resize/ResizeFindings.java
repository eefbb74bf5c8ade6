package io.dynims.experiments.bench.resize;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.BarPlot;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import io.dynims.experiments.demo.DataSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns the measured resizes into findings; the first result is that of the default slice. */
final class ResizeFindings {

  private static final double RATIO_GOAL = 0.7;
  private static final double READ_GOAL = 2;

  /** The JSON object. */
  private record Json(
      double freedBytesPerSecond,
      double limitBytesPerSecond,
      double ratio,
      ReadP99 readMillisP99,
      SliceResult.Reads readMillis,
      Map<Integer, Percentiles> shrinkMillis,
      long readsWrong,
      long tierBytes,
      long blockBytes,
      long sliceBytes,
      int repetitions,
      List<SliceResult.Figures> slices) {}

  private record ReadP99(double rest, double resizing) {}

  private final long tierBytes;
  private final ResizeOptions options;
  private final List<SliceResult> results;
  private final List<SliceResult.Figures> slices;

  ResizeFindings(long tierBytes, ResizeOptions options, List<SliceResult> results) {
    this.tierBytes = tierBytes;
    this.options = options;
    this.results = results;
    this.slices = results.stream().map(SliceResult::figures).toList();
  }

  Findings findings() {
    return new Findings(
        "Resize rate",
        json(slices.get(0)),
        method(),
        goals(),
        List.of(rates(), shrinks(slices.get(0)), reads()),
        figures());
  }

  private Json json(SliceResult.Figures shipped) {
    return new Json(
        shipped.freedBytesPerSecond(),
        shipped.limitBytesPerSecond(),
        shipped.ratio(),
        new ReadP99(shipped.readMillis().rest().p99(), shipped.readMillis().resizing().p99()),
        shipped.readMillis(),
        shipped.shrinkMillis(),
        slices.stream().mapToLong(SliceResult.Figures::readsWrong).sum(),
        tierBytes,
        DataSet.BLOCK_BYTES,
        shipped.sliceBytes(),
        options.repetitions(),
        slices);
  }

  private List<String> method() {
    return List.of(
        "A stock Alluxio worker with a tier of "
            + Text.bytes(tierBytes)
            + " in tmpfs, full of blocks of "
            + Text.bytes(DataSet.BLOCK_BYTES)
            + "; every figure comes from "
            + options.repetitions()
            + " repetitions after one that does not count.",
        "Freed: the bytes by which the tmpfs shrank between the request for a capacity of 0 and its answer;"
            + " the median of the rates.",
        "Limit: one thread unlinks as many files of the same size in the same tmpfs, after each shrink;"
            + " the median.",
        "Reads: two readers read random blocks of the hot quarter of the data through Alluxio's client (short"
            + " circuit), check every byte, and pause 0 to 30 ms after each block; a time is that of one block.",
        String.format(
            Locale.ROOT,
            "Resizing: the tier shrinks by %.0f %% of its size every %d ms, %d times, and grows back in the same"
                + " way. Rest: the same time, just before.",
            100 * ResizeBench.STEP,
            ResizeBench.TICK_MILLIS,
            ResizeBench.STEPS));
  }

  private List<Goal> goals() {
    SliceResult.Figures shipped = slices.get(0);
    double rest = shipped.readMillis().rest().p99();
    double resizing = shipped.readMillis().resizing().p99();
    return List.of(
        Goal.figure(
            "freed bytes per second, share of the machine's limit",
            "at least " + RATIO_GOAL,
            Percentiles.text(shipped.ratio()),
            shipped.ratio() >= RATIO_GOAL),
        Goal.figure(
            "readers' p99 while resizing / p99 at rest",
            "at most 2",
            Percentiles.text(resizing / rest),
            resizing <= READ_GOAL * rest),
        Goal.none(
            "failed reads, or reads with a wrong byte, with any slice",
            slices.stream().mapToLong(SliceResult.Figures::readsWrong).sum(),
            slices.stream()
                .map(SliceResult.Figures::readMillis)
                .mapToLong(reads -> reads.rest().count() + reads.resizing().count())
                .sum()));
  }

  private Table rates() {
    return new Table(
        "Freeing all of a full tier, by slice size",
        List.of("slice", "freed per second", "limit per second", "ratio"),
        slices.stream()
            .map(
                s ->
                    List.of(
                        Text.bytes(s.sliceBytes()),
                        Text.bytes((long) s.freedBytesPerSecond()),
                        Text.bytes((long) s.limitBytesPerSecond()),
                        Percentiles.text(s.ratio())))
            .toList());
  }

  private Table shrinks(SliceResult.Figures shipped) {
    List<List<String>> rows = new ArrayList<>();
    shipped
        .shrinkMillis()
        .forEach(
            (percent, millis) ->
                rows.add(
                    List.of(percent + " %", Text.bytes(tierBytes * percent / 100), millis.text())));
    return new Table(
        "Time to shrink a full tier, slices of " + Text.bytes(shipped.sliceBytes()),
        List.of("by", "bytes", "p50 / p99 / max, ms"),
        rows);
  }

  private Table reads() {
    return new Table(
        "Reading a block of " + Text.bytes(DataSet.BLOCK_BYTES) + ", p50 / p99 / max, ms",
        List.of("slice", "at rest", "while resizing", "p99 ratio", "reads"),
        slices.stream()
            .map(
                s ->
                    List.of(
                        Text.bytes(s.sliceBytes()),
                        s.readMillis().rest().text(),
                        s.readMillis().resizing().text(),
                        Percentiles.text(
                            s.readMillis().resizing().p99() / s.readMillis().rest().p99()),
                        s.readMillis().rest().count() + ", " + s.readMillis().resizing().count()))
            .toList());
  }

  private List<Figure> figures() {
    SliceResult shipped = results.get(0);
    return List.of(
        new LinePlot(
            "reads",
            "Reading a block, at rest and while the tier is resized",
            Axis.log("1 / (1 − quantile): 10 is p90, 100 is p99"),
            Axis.linear("ms"),
            List.of(
                new LinePlot.Series("at rest", shipped.rest().distribution()),
                new LinePlot.Series("while resizing", shipped.resizing().distribution()))),
        new BarPlot(
            "rates",
            "Freeing all of a full tier, by slice size",
            slices.stream().map(s -> Text.bytes(s.sliceBytes())).toList(),
            Axis.linear("GiB per second"),
            List.of(
                new BarPlot.Series("freed by the adapter", rates(true)),
                new BarPlot.Series("the machine's limit", rates(false)))));
  }

  private List<Double> rates(boolean freed) {
    return slices.stream()
        .map(s -> (freed ? s.freedBytesPerSecond() : s.limitBytesPerSecond()) / (1L << 30))
        .toList();
  }
}
