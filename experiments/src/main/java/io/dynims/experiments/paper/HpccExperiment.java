package io.dynims.experiments.paper;

import static io.dynims.experiments.paper.PaperFigures.GIB;
import static io.dynims.experiments.paper.PaperFigures.text;

import io.dynims.cli.CliContext;
import io.dynims.cli.plot.Figure;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** K-means on the elastic and the static tier beside HPCC itself, not a replay of its memory. */
public final class HpccExperiment {

  /** Its matrix has the 4.6 GB that the paper's 75 GB are here. */
  private static final int SIZE = 24_000;

  private static final int AFTER_ITERATION = 3;

  private final RunResult elastic;

  /** The same with a static tier, as the job takes processor time from HPCC, too. */
  private final RunResult fixed;

  private final RunResult alone;

  /**
   * Makes the runs that are missing: a quarter of an hour beside each job, and 10 minutes alone.
   */
  public HpccExperiment(CliContext context, PaperPlan plan) throws Exception {
    Path script = context.home().project().resolve("experiments/hpcc/run-hpcc");
    Path folder = context.home().state().resolve("paper/hpcc");
    HpccRun hpcc = new HpccRun(script, folder, SIZE, AFTER_ITERATION);
    RunSpec besideElastic = plan.besideHpcc(MemorySetup.Elastic, hpcc);
    RunSpec besideFixed = plan.besideHpcc(MemorySetup.StaticTier, hpcc);
    PaperExperiment experiment = new PaperExperiment(context, plan.scale(), hpcc);
    Map<RunSpec, RunResult> runs = experiment.run(List.of(besideElastic, besideFixed));
    this.elastic = runs.get(besideElastic);
    this.fixed = runs.get(besideFixed);
    this.alone = experiment.loadAlone();
  }

  /** That no process was killed for want of memory, and nothing swapped. */
  public List<Goal> goals() {
    return PaperGoals.memory("beside HPCC itself: ", List.of(elastic));
  }

  /** The node's memory. */
  public Figure figure() {
    return new MemoryPlot("hpcc", "Memory of the node beside HPCC itself").of(elastic);
  }

  /** What it came to. */
  public Table summary() {
    return new Table(
        "K-means and HPCC itself",
        List.of("figure", name(MemorySetup.Elastic), name(MemorySetup.StaticTier), "HPCC alone"),
        List.of(
            List.of(
                "K-means, " + elastic.iterations().size() + " iterations, s",
                seconds(elastic),
                seconds(fixed),
                "–"),
            List.of("HPCC, s", loadSeconds(elastic), loadSeconds(fixed), loadSeconds(alone)),
            row("most memory in use, GiB", HpccExperiment::mostUsed),
            row(
                "processes killed for want of memory",
                run -> Long.toString(run.outOfMemoryKills())),
            row("bytes swapped in", run -> Long.toString(run.swappedInBytes()))));
  }

  private List<String> row(String figure, Function<RunResult, String> value) {
    return List.of(figure, value.apply(elastic), value.apply(fixed), "–");
  }

  private static String name(MemorySetup setup) {
    return "beside " + setup.paperName();
  }

  private static String mostUsed(RunResult run) {
    long bytes = run.series().stream().mapToLong(RunResult.Sample::usedBytes).max().orElse(0);
    return String.format(Locale.ROOT, "%.2f", bytes / GIB);
  }

  private static String loadSeconds(RunResult run) {
    return text(run.loadMillis() / 1e3);
  }

  private static String seconds(RunResult run) {
    return text(PaperResults.seconds(run));
  }

  /** Each iteration. */
  public Table iterations() {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < elastic.iterations().size(); i++) {
      RunResult.Iteration iteration = elastic.iterations().get(i);
      rows.add(
          List.of(
              Integer.toString(i + 1),
              text(iteration.millis() / 1e3),
              Long.toString(iteration.storeBytes() >> 20),
              text(PaperResults.mostLoadBytes(elastic, i) / GIB)));
    }
    return new Table(
        "Each iteration of K-means beside HPCC itself, with DynIMS",
        List.of("iteration", "s", "MiB from the under store", "HPCC, at most, GiB"),
        rows);
  }
}
