package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.node.NodeBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "node", description = "Measure what adapter and collectd take from a node at rest.")
final class BenchNodeCommand implements Callable<Integer> {

  private final CliContext context;

  @Mixin private final BenchOutput output = new BenchOutput();
  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long it is measured: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "240",
      description = "How many seconds it runs before: ${DEFAULT-VALUE}.")
  private int warmSeconds;

  BenchNodeCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    BenchCommand.check(spec, "--seconds", seconds, 1, BenchCommand.MAX_SECONDS);
    BenchCommand.check(spec, "--warm-up", warmSeconds, 0, BenchCommand.MAX_SECONDS);
    Findings findings;
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), false, context.err())) {
      findings = new NodeBench(stack, context.err()).run(warmSeconds, seconds);
    }
    BenchCommand.tell(output, "node", findings, spec, context);
    return 0;
  }
}
