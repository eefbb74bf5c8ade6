package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.cli.plot.Figure;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import io.dynims.experiments.paper.DataJob;
import io.dynims.experiments.paper.HpccExperiment;
import io.dynims.experiments.paper.HpccLoad;
import io.dynims.experiments.paper.HpccRecording;
import io.dynims.experiments.paper.HpccTrace;
import io.dynims.experiments.paper.PaperExperiment;
import io.dynims.experiments.paper.PaperFigures;
import io.dynims.experiments.paper.PaperPlan;
import io.dynims.experiments.paper.PaperScale;
import io.dynims.experiments.paper.PressureExperiment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "paper",
    description =
        "Run Spark beside HPCC's memory on a static and on an elastic tier, as in the DynIMS paper.",
    footer = {
      "",
      "Figures: 1 (HPCC's memory), 2 (LU while memory is short),"
          + " 5 (total times), 6 (data sizes), 7 (memory over time), 8 (time of each iteration),"
          + " rate (speed-up against the under store's rate), hpcc (beside HPCC itself, half an"
          + " hour).",
      "A job whose result depends on where its data was, and a process that was killed for want of"
          + " memory, are failures; a missed goal of speed is not.",
      "Runs that were made at this commit are not made again: results are in paper/runs.jsonl of"
          + " the stack's home. Needs root and control groups."
    })
final class PaperCommand implements Callable<Integer> {

  private static final int MAX_REPETITIONS = 100;
  private static final int MIN_HPCC_SIZE = 1_000;
  private static final int MAX_HPCC_SIZE = 40_000;

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Spec private CommandSpec spec;

  @Option(
      names = "--figure",
      paramLabel = "FIGURE",
      split = ",",
      description = "Figures to make. Default: all, with --quick 7 and 8.")
  private List<String> figures;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description =
          "Repetitions of K-means in figure 5; the other jobs run once. Default: 3, with --quick 1.")
  private Integer repetitions;

  @Option(
      names = "--job",
      paramLabel = "JOB",
      split = ",",
      description =
          "Jobs of figure 5: ${COMPLETION-CANDIDATES}. K-means is always among them. Default: all.")
  private List<DataJob> jobs = List.of(DataJob.values());

  @Option(
      names = "--record-hpcc",
      paramLabel = "N",
      description =
          "Only run HPCC itself with this problem size, and write its memory over time to"
              + " experiments/traces/hpcc-recorded.csv.")
  private Integer hpccSize;

  @Option(
      names = "--quick",
      description = "Little data and two iterations of K-means, to try the experiment.")
  private boolean quick;

  PaperCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    int runs = repetitions == null ? (quick ? 1 : PaperPlan.REPETITIONS) : repetitions;
    BenchCommand.check(spec, "--repetitions", runs, 1, MAX_REPETITIONS);
    Path trace = context.home().project().resolve("experiments/traces/hpcc-recorded.csv");
    if (hpccSize != null) {
      BenchCommand.check(spec, "--record-hpcc", hpccSize, MIN_HPCC_SIZE, MAX_HPCC_SIZE);
      new HpccRecording(context, hpccSize).record(trace);
      return 0;
    }
    PaperScale scale = quick ? PaperScale.QUICK : PaperScale.FULL;
    HpccLoad load = PaperPlan.load(HpccTrace.read(trace), scale, quick);
    PaperPlan plan = plan(scale, runs, load);
    PaperExperiment experiment = new PaperExperiment(context, scale, load);
    PaperFigures results =
        new PaperFigures(
            plan,
            experiment.run(plan.specs()),
            quick ? Optional.empty() : Optional.of(experiment.loadAlone()));
    List<Figure> figures = new ArrayList<>();
    List<Table> tables = new ArrayList<>();
    List<Goal> goals = new ArrayList<>();
    if (plan.has("2") && !quick) {
      figures.add(new PressureExperiment(context).figure());
    }
    if (plan.has("hpcc") && !quick) {
      HpccExperiment hpcc = new HpccExperiment(context, plan);
      figures.add(hpcc.figure());
      tables.add(hpcc.summary());
      tables.add(hpcc.iterations());
      goals.addAll(hpcc.goals());
    }
    return BenchCommand.report(
        output,
        quick ? "paper-quick" : "paper",
        results.findings(figures, tables, goals),
        spec,
        context);
  }

  private PaperPlan plan(PaperScale scale, int runs, HpccLoad load) {
    try {
      List<String> byDefault = quick ? PaperPlan.QUICK_FIGURES : PaperPlan.FIGURES;
      return new PaperPlan(scale, quick, runs, load, jobs, figures == null ? byDefault : figures);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--figure: " + e.getMessage(), e);
    }
  }
}
