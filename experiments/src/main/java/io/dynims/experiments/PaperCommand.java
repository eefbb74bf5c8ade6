package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.paper.PaperExperiment;
import io.dynims.experiments.paper.PaperFigures;
import io.dynims.experiments.paper.PaperPlan;
import io.dynims.experiments.paper.PaperScale;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "paper",
    description =
        "Run Spark beside HPCC's memory on a static and on an elastic tier, as in the DynIMS paper.",
    footer = {
      "",
      "Figures: 5 (total times), 6 (data sizes), 7 (memory over time), 8 (time of each iteration),"
          + " rate (speed-up against the under store's rate).",
      "Runs that have been made are not made again: results are in paper/runs.jsonl of the stack's"
          + " home. Needs root and control groups version 1."
    })
final class PaperCommand implements Callable<Integer> {

  private static final int MAX_REPETITIONS = 100;

  private final CliContext context;

  @Mixin private final BenchOutput output = new BenchOutput();
  @Spec private CommandSpec spec;

  @Option(
      names = "--figure",
      paramLabel = "FIGURE",
      split = ",",
      description = "Figures to make. Default: all.")
  private List<String> figures = PaperPlan.FIGURES;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Repetitions of each run of figure 5. Default: 3, with --quick 1.")
  private Integer repetitions;

  @Option(
      names = "--quick",
      description = "Little data and two iterations of K-means, to try the experiment.")
  private boolean quick;

  PaperCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    int runs = repetitions == null ? (quick ? 1 : PaperPlan.REPETITIONS) : repetitions;
    BenchCommand.check(spec, "--repetitions", runs, 1, MAX_REPETITIONS);
    PaperScale scale = quick ? PaperScale.QUICK : PaperScale.FULL;
    PaperExperiment experiment =
        new PaperExperiment(
            context,
            scale,
            context.home().project().resolve("experiments/traces/hpcc.csv"),
            quick ? PaperPlan.QUICK_HPCC_MILLIS : PaperPlan.HPCC_MILLIS);
    PaperPlan plan = new PaperPlan(scale, quick, runs, experiment.loadName(), figures);
    PaperFigures results = new PaperFigures(plan, experiment.load(), experiment.run(plan.specs()));
    BenchCommand.report(output, quick ? "paper-quick" : "paper", results.findings(), spec, context);
    return 0;
  }
}
