package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchDuration;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.node.NodeBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "node", description = "Measure what the adapter and collectd cost a node at rest.")
final class BenchNodeCommand implements Callable<Integer> {

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Mixin private final BenchDuration duration = new BenchDuration(60, 240);
  @Spec private CommandSpec spec;

  BenchNodeCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    int seconds = duration.seconds();
    int warmUpSeconds = duration.warmUpSeconds();
    Findings findings;
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), false, context.err())) {
      findings = new NodeBench(stack, context.err()).run(warmUpSeconds, seconds);
    }
    return BenchCommand.report(output, "node", findings, spec, context);
  }
}
