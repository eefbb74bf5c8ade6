package io.dynims.experiments.paper;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.experiments.bench.BarPlot;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures and tables of an experiment. */
public final class PaperFigures {

  private static final double GIB = 1L << 30;

  private final PaperPlan plan;
  private final Map<RunSpec, RunResult> results;

  /** The figures of a plan whose runs have all been made. */
  public PaperFigures(PaperPlan plan, Map<RunSpec, RunResult> results) {
    this.plan = plan;
    this.results = results;
  }

  /** Everything, for a report. */
  public Findings findings() {
    List<Table> tables = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    if (plan.has("5")) {
      tables.add(totals());
      figures.add(totalsPlot());
    }
    if (plan.has("7")) {
      figures.add(memory());
    }
    if (plan.has("8")) {
      tables.add(iterations());
      figures.add(iterationsPlot());
    }
    return new Findings(
        "The paper's figures",
        Map.of("runs", results.values()),
        method(),
        List.of(),
        tables,
        figures);
  }

  private List<String> method() {
    PaperScale scale = plan.scale();
    return List.of(
        String.format(
            Locale.ROOT,
            "One node at 1/%d of the paper's: %d MiB of memory in a control group, the data set %d MiB,"
                + " the static tier %d MiB, the elastic one %d MiB, HPCC at most %d MiB; under store %d MB/s.",
            scale.divisor(),
            scale.memoryBytes() >> 20,
            scale.dataBytes() >> 20,
            scale.staticTierBytes() >> 20,
            scale.elasticTierBytes() >> 20,
            scale.hpccPeakBytes() >> 20,
            PaperPlan.STORE_RATE / 1_000_000));
  }

  private RunResult result(MemorySetup setup, DataJob job, int repetition) {
    return results.get(plan.spec(setup, job, repetition));
  }

  private Table totals() {
    List<List<String>> rows = new ArrayList<>();
    for (DataJob job : plan.jobs()) {
      for (MemorySetup setup : MemorySetup.values()) {
        List<String> times = new ArrayList<>();
        List<String> hits = new ArrayList<>();
        long kills = 0;
        for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
          RunResult result = result(setup, job, repetition);
          times.add(text(result.totalMillis() / 1e3));
          hits.add(String.format(Locale.ROOT, "%.2f", result.hitRatio(plan.scale().dataBytes())));
          kills += result.outOfMemoryKills();
        }
        rows.add(
            List.of(
                job.title(),
                setup.paperName(),
                String.join(", ", times),
                text(median(setup, job)),
                text(median(setup, job) / median(MemorySetup.Elastic, job)),
                String.join(", ", hits),
                Long.toString(kills)));
      }
    }
    return new Table(
        "Figure 5: total time, s",
        List.of("job", "memory", "runs", "median", "of DynIMS's", "hit ratio", "killed"),
        rows);
  }

  private double median(MemorySetup setup, DataJob job) {
    List<Double> seconds = new ArrayList<>();
    for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
      seconds.add(result(setup, job, repetition).totalMillis() / 1e3);
    }
    seconds.sort(null);
    return seconds.get(seconds.size() / 2);
  }

  private Figure totalsPlot() {
    List<BarPlot.Series> series = new ArrayList<>();
    for (MemorySetup setup : MemorySetup.values()) {
      series.add(
          new BarPlot.Series(
              setup.paperName(), plan.jobs().stream().map(job -> median(setup, job)).toList()));
    }
    return new BarPlot(
        "5",
        "Figure 5: total time of ten iterations",
        plan.jobs().stream().map(DataJob::title).toList(),
        Axis.linear("s"),
        series);
  }

  private Figure memory() {
    RunResult run = result(MemorySetup.Elastic, DataJob.KMeans, 1);
    return new LinePlot(
        "7",
        "Figure 7: memory of the node under DynIMS",
        Axis.linear("s"),
        Axis.linear("GiB"),
        List.of(
            line("in use", run, RunResult.Sample::usedBytes),
            line("the tier's capacity", run, RunResult.Sample::capacityBytes),
            line("in the tier", run, RunResult.Sample::tierBytes),
            line("HPCC", run, RunResult.Sample::loadBytes)));
  }

  private static LinePlot.Series line(
      String label, RunResult run, java.util.function.ToLongFunction<RunResult.Sample> bytes) {
    return new LinePlot.Series(
        label,
        run.series().stream()
            .map(s -> new LinePlot.Point(s.millis() / 1e3, bytes.applyAsLong(s) / GIB))
            .toList());
  }

  private Table iterations() {
    List<List<String>> rows = new ArrayList<>();
    int count = result(MemorySetup.Elastic, DataJob.KMeans, 1).iterations().size();
    for (int i = 0; i < count; i++) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(i + 1)));
      for (MemorySetup setup : MemorySetup.values()) {
        row.add(text(result(setup, DataJob.KMeans, 1).iterations().get(i).millis() / 1e3));
      }
      row.add(text(mostLoad(result(MemorySetup.Elastic, DataJob.KMeans, 1), i) / GIB));
      rows.add(row);
    }
    List<String> head = new ArrayList<>(List.of("iteration"));
    for (MemorySetup setup : MemorySetup.values()) {
      head.add(setup.paperName());
    }
    head.add("HPCC beside DynIMS, at most, GiB");
    return new Table("Figure 8: time of each iteration of K-means, s", head, rows);
  }

  private static long mostLoad(RunResult run, int iteration) {
    RunResult.Iteration span = run.iterations().get(iteration);
    return run.series().stream()
        .filter(sample -> sample.millis() >= span.startMillis())
        .filter(sample -> sample.millis() <= span.startMillis() + span.millis())
        .mapToLong(RunResult.Sample::loadBytes)
        .max()
        .orElse(0);
  }

  private Figure iterationsPlot() {
    List<LinePlot.Series> series = new ArrayList<>();
    for (MemorySetup setup : MemorySetup.values()) {
      List<LinePlot.Point> points = new ArrayList<>();
      List<RunResult.Iteration> iterations = result(setup, DataJob.KMeans, 1).iterations();
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

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
