package io.dynims.experiments.paper;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.experiments.bench.BarPlot;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import io.dynims.experiments.demo.LoadProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The figures and tables of an experiment. */
public final class PaperFigures {

  static final double GIB = 1L << 30;

  private final PaperPlan plan;
  private final PaperResults results;

  /**
   * The figures of a plan whose runs have all been made.
   *
   * @param loadAlone the run of the load without anything beside it, if it was made
   */
  public PaperFigures(
      PaperPlan plan, Map<RunSpec, RunResult> results, Optional<RunResult> loadAlone) {
    this.plan = plan;
    this.results = new PaperResults(plan, results, loadAlone);
  }

  /**
   * Everything, for a report.
   *
   * @param moreFigures those that come from other experiments
   * @param moreTables the same
   * @param moreGoals the same
   */
  public Findings findings(List<Figure> moreFigures, List<Table> moreTables, List<Goal> moreGoals) {
    List<Goal> goals = new ArrayList<>(new PaperGoals(results).goals());
    goals.addAll(moreGoals);
    List<Table> tables = new ArrayList<>(moreTables);
    List<Figure> figures = new ArrayList<>(moreFigures);
    if (plan.has("1")) {
      figures.add(load());
    }
    if (plan.has("5")) {
      tables.add(totals());
      figures.add(totalsPlot());
    }
    if (plan.has("6")) {
      tables.add(sizes().table());
      figures.add(sizes().plot());
    }
    if (plan.has("7")) {
      figures.add(
          new MemoryPlot("7", "Figure 7: memory of the node under DynIMS")
              .of(results.kMeans(MemorySetup.Elastic)));
    }
    if (plan.has("8")) {
      tables.add(iterations());
      figures.add(iterationsPlot());
    }
    if (plan.has("rate")) {
      tables.add(rates().table());
      figures.add(rates().plot());
    }
    return new Findings(
        "The paper's figures",
        Map.of("runs", results.all().values()),
        method(),
        goals,
        tables,
        figures);
  }

  private List<String> method() {
    PaperScale scale = plan.scale();
    return List.of(
        String.format(
            Locale.ROOT,
            "One node, 1/%d of the paper's: %d MiB of memory in a control group (the paper's 125 GB,"
                + " and %d MiB for what does not shrink with the scale: the worker, the agents, and"
                + " what JVMs need beside their heaps); a data set of %d MiB; a static tier of %d MiB,"
                + " an elastic one of up to %d MiB; HPCC of up to %d MiB; Spark's heap %d MiB, without a"
                + " tier %d MiB.",
            scale.divisor(),
            scale.memoryBytes() >> 20,
            PaperScale.FIXED_BYTES >> 20,
            scale.dataBytes() >> 20,
            scale.staticTierBytes() >> 20,
            scale.elasticTierBytes() >> 20,
            scale.hpccPeakBytes() >> 20,
            scale.sparkHeapBytes() >> 20,
            scale.cachingHeapBytes() >> 20),
        "Spark runs in local mode with two threads and reads the whole data set from Alluxio in every"
            + " iteration, also the first, with an empty tier; eviction is LRFU. The under store is a"
            + " local disk, throttled to "
            + PaperPlan.STORE_RATE / 1_000_000
            + " MB/s, whose files are dropped from the page cache.",
        "HPCC is the memory of a real run (experiments/traces/hpcc-recorded.csv, 15 minutes), of which"
            + " a piece of "
            + plan.load().profile().durationMillis() / 1_000
            + " s is replayed at its own pace by a process that touches as many pages; it starts when"
            + " iteration "
            + plan.load().afterIteration()
            + " ends. The upper bound runs without it.",
        "Hit ratio: the share of what the job reads that the worker did not read from the disk, by the"
            + " kernel's count.");
  }

  /** Figure 1. */
  private Figure load() {
    List<LinePlot.Point> points = new ArrayList<>();
    for (LoadProfile.Point point : plan.load().profile().points()) {
      points.add(new LinePlot.Point(point.millis() / 1e3, point.bytes() / GIB));
    }
    return new LinePlot(
        "1",
        "Figure 1: memory of HPCC, as it is replayed",
        Axis.linear("s"),
        Axis.linear("GiB"),
        List.of(new LinePlot.Series("HPCC", points)));
  }

  private Table totals() {
    List<List<String>> rows = new ArrayList<>();
    for (DataJob job : plan.jobs()) {
      double elastic = results.medianSeconds(MemorySetup.Elastic, job);
      for (MemorySetup setup : MemorySetup.values()) {
        List<RunResult> runs = results.runs(setup, job);
        rows.add(
            List.of(
                job.title(),
                setup.paperName(),
                joined(runs, PaperResults::seconds, "%.1f"),
                text(results.medianSeconds(setup, job)),
                text(results.medianSeconds(setup, job) / elastic),
                joined(runs, run -> run.hitRatio(plan.scale().dataBytes()), "%.2f"),
                joined(runs, run -> run.loadMillis() / 1e3, "%.2f"),
                Long.toString(runs.stream().mapToLong(RunResult::outOfMemoryKills).sum())));
      }
    }
    return new Table(
        "Figure 5: total time, s",
        List.of(
            "job", "memory", "runs", "median", "to DynIMS's", "hit ratio", "HPCC took", "killed"),
        rows);
  }

  private static String joined(
      List<RunResult> runs, ToDoubleFunction<RunResult> figure, String format) {
    return String.join(
        ", ",
        runs.stream()
            .map(run -> String.format(Locale.ROOT, format, figure.applyAsDouble(run)))
            .toList());
  }

  private Figure totalsPlot() {
    return new BarPlot(
        "5",
        "Figure 5: total time of ten iterations",
        plan.jobs().stream().map(DataJob::title).toList(),
        Axis.linear("s"),
        Arrays.stream(MemorySetup.values())
            .map(
                setup ->
                    new BarPlot.Series(
                        setup.paperName(),
                        plan.jobs().stream()
                            .map(job -> results.medianSeconds(setup, job))
                            .toList()))
            .toList());
  }

  private KMeansSeries sizes() {
    return new KMeansSeries(
        "6",
        "Figure 6: total time of K-means against the data's size",
        "GiB",
        GIB,
        plan.dataSizes(),
        Arrays.asList(MemorySetup.values()),
        (setup, bytes) -> results.kMeans(setup, bytes, PaperPlan.STORE_RATE));
  }

  private KMeansSeries rates() {
    return new KMeansSeries(
        "rate",
        "Total time of K-means against the under store's rate",
        "MB/s",
        1e6,
        plan.storeRates(),
        PaperPlan.RATE_SETUPS,
        (setup, rate) -> results.kMeans(setup, plan.scale().dataBytes(), rate));
  }

  private Table iterations() {
    List<List<String>> rows = new ArrayList<>();
    RunResult elastic = results.kMeans(MemorySetup.Elastic);
    for (int i = 0; i < elastic.iterations().size(); i++) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(i + 1)));
      for (MemorySetup setup : MemorySetup.values()) {
        row.add(text(results.kMeans(setup).iterations().get(i).millis() / 1e3));
      }
      row.add(text(PaperResults.mostLoadBytes(elastic, i) / GIB));
      rows.add(row);
    }
    List<String> head = new ArrayList<>(List.of("iteration"));
    for (MemorySetup setup : MemorySetup.values()) {
      head.add(setup.paperName());
    }
    head.add("HPCC beside DynIMS, at most, GiB");
    return new Table("Figure 8: time of each iteration of K-means, s", head, rows);
  }

  private Figure iterationsPlot() {
    List<LinePlot.Series> series = new ArrayList<>();
    for (MemorySetup setup : MemorySetup.values()) {
      List<LinePlot.Point> points = new ArrayList<>();
      List<RunResult.Iteration> iterations = results.kMeans(setup).iterations();
      for (int i = 0; i < iterations.size(); i++) {
        points.add(new LinePlot.Point(i + 1, iterations.get(i).millis() / 1e3));
      }
      series.add(new LinePlot.Series(setup.paperName(), points));
    }
    return new LinePlot(
        "8",
        "Figure 8: time of each K-means iteration",
        Axis.linear("iteration"),
        Axis.linear("s"),
        series);
  }

  static String text(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
