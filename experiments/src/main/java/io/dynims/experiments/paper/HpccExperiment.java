package io.dynims.experiments.paper;

import static io.dynims.experiments.paper.PaperFigures.GIB;
import static io.dynims.experiments.paper.PaperFigures.text;

import io.dynims.cli.CliContext;
import io.dynims.cli.plot.Figure;
import io.dynims.experiments.bench.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** K-means on the elastic tier beside HPCC itself, not a replay of its memory. */
public final class HpccExperiment {

  /** Its matrix has the 4.6 GB that the paper's 75 GB are here. */
  private static final int SIZE = 24_000;

  private static final int AFTER_ITERATION = 3;

  private final RunResult run;
  private final RunResult alone;

  /** Makes the runs that are missing: about 20 minutes beside the job and 15 alone. */
  public HpccExperiment(CliContext context, PaperPlan plan) throws Exception {
    Path script = context.home().project().resolve("experiments/hpcc/run-hpcc");
    Path folder = context.home().state().resolve("paper/hpcc");
    HpccRun hpcc = new HpccRun(script, folder, SIZE, AFTER_ITERATION);
    RunSpec spec = plan.besideHpcc(hpcc);
    PaperExperiment experiment = new PaperExperiment(context, plan.scale(), hpcc);
    this.run = experiment.run(List.of(spec)).get(spec);
    this.alone = experiment.loadAlone();
  }

  /** Whether no process was killed for want of memory, and nothing swapped. */
  public boolean isSound() {
    return run.outOfMemoryKills() == 0 && run.swappedInBytes() == 0;
  }

  /** The node's memory. */
  public Figure figure() {
    return new MemoryPlot("hpcc", "Memory of the node beside HPCC itself").of(run);
  }

  /** What it came to. */
  public Table summary() {
    long mostUsedBytes =
        run.series().stream().mapToLong(RunResult.Sample::usedBytes).max().orElse(0);
    return new Table(
        "Beside HPCC itself",
        List.of("figure", "measured"),
        List.of(
            List.of("K-means, " + run.iterations().size() + " iterations, s", seconds(run)),
            List.of("HPCC beside it, s", text(run.loadMillis() / 1e3)),
            List.of("HPCC alone, s", text(alone.loadMillis() / 1e3)),
            List.of(
                "most memory in use, GiB", String.format(Locale.ROOT, "%.2f", mostUsedBytes / GIB)),
            List.of("processes killed for want of memory", Long.toString(run.outOfMemoryKills())),
            List.of("bytes swapped in", Long.toString(run.swappedInBytes()))));
  }

  private static String seconds(RunResult run) {
    return text(PaperResults.seconds(run));
  }

  /** Each iteration. */
  public Table iterations() {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < run.iterations().size(); i++) {
      RunResult.Iteration iteration = run.iterations().get(i);
      rows.add(
          List.of(
              Integer.toString(i + 1),
              text(iteration.millis() / 1e3),
              Long.toString(iteration.storeBytes() >> 20),
              text(PaperResults.mostLoadBytes(run, i) / GIB)));
    }
    return new Table(
        "Each iteration of K-means beside HPCC itself",
        List.of("iteration", "s", "MiB from the under store", "HPCC, at most, GiB"),
        rows);
  }
}
