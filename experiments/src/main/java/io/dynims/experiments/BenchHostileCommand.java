package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.hostile.HostileBench;
import io.dynims.experiments.bench.hostile.HostileOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "hostile",
    description =
        "Measure pushes, memory and threads while clients without credentials attack the adapter,"
            + " REST and its event stream.")
final class BenchHostileCommand implements Callable<Integer> {

  private static final int MAX_CONNECTIONS = 1_000_000;
  private static final int STREAMS = 40;

  private final CliContext context;

  @Mixin private final BenchOutput output;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Hostile connections at least. Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Seconds of the measurement at rest, and at least beside the clients. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Spec private CommandSpec spec;

  BenchHostileCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    BenchCommand.check(spec, "--connections", connections, 1, MAX_CONNECTIONS);
    BenchCommand.check(spec, "--seconds", seconds, 1, 3_600);
    Findings findings;
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), false, context.err())) {
      findings =
          new HostileBench(stack, new HostileOptions(connections, STREAMS, seconds), context.err())
              .run();
    }
    return BenchCommand.report(output, "hostile", findings, spec, context);
  }
}
