package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.fleet.FleetRuns;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "fleet",
    description =
        "Measure what many nodes at 10 Hz cost, and how fast they are served: real broker, job and"
            + " controller, simulated nodes.")
final class BenchFleetCommand implements Callable<Integer> {

  private static final int MAX_NODES = 20_000;

  private final CliContext context;

  @Mixin private final BenchOutput output = new BenchOutput();
  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      split = ",",
      defaultValue = "1000",
      description = "How many; several sizes separated by commas: ${DEFAULT-VALUE}.")
  private List<Integer> nodes;

  @Option(
      names = "--own-connections",
      description =
          "Each node sends its samples over a connection of its own, as collectd does; else all"
              + " share one.")
  private boolean ownConnections;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "How long each size is measured: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "90",
      description = "How many seconds it runs before: ${DEFAULT-VALUE}.")
  private int warmSeconds;

  BenchFleetCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    for (int size : nodes) {
      BenchCommand.check(spec, "--nodes", size, 1, MAX_NODES);
    }
    BenchCommand.check(spec, "--seconds", seconds, 1, BenchCommand.MAX_SECONDS);
    BenchCommand.check(spec, "--warm-up", warmSeconds, 0, BenchCommand.MAX_SECONDS);
    Findings findings =
        new FleetRuns(
                context.home(), context.environment(), nodes, ownConnections, warmSeconds, seconds)
            .run(context.err());
    String page = ownConnections ? "fleet-own-connections" : "fleet";
    BenchCommand.tell(output, page, findings, spec, context);
    return 0;
  }
}
