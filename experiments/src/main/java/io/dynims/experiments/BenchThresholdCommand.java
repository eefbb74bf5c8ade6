package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.threshold.ThresholdBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "threshold",
    description =
        "Find the greatest threshold at which each law never passes a node's memory on simulated"
            + " traces, and compare the laws at 0.95 with what no law can avoid.")
final class BenchThresholdCommand implements Callable<Integer> {

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Spec private CommandSpec spec;

  BenchThresholdCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    ThresholdBench bench =
        new ThresholdBench(context.home().project(), ThresholdBench.SEEDS, context.err()::println);
    return BenchCommand.report(output, "threshold", bench.run(), spec, context);
  }
}
