package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.core.config.Quantities;
import io.dynims.experiments.bench.BenchDuration;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.fleet.FleetRuns;
import io.dynims.experiments.bench.fleet.SharedFleetBench;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "fleet",
    description =
        "Measure the cost and latency of many nodes at 10 Hz: real broker, job and controller,"
            + " simulated nodes.")
final class BenchFleetCommand implements Callable<Integer> {

  private static final int MAX_NODES = 20_000;
  private static final int MAX_CONTROLLERS = 12;

  private final CliContext context;

  @Mixin private final BenchOutput output = new BenchOutput();
  @Mixin private final BenchDuration duration = new BenchDuration(30, 90);
  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      split = ",",
      defaultValue = "1000",
      description = "Number of nodes, or several separated by commas. Default: ${DEFAULT-VALUE}.")
  private List<Integer> nodes;

  @Option(
      names = "--own-connections",
      description =
          "Give each node its own connection to the broker, as collectd has; without it all"
              + " nodes share one.")
  private boolean ownConnections;

  @Option(
      names = "--moving",
      paramLabel = "PERCENT",
      description =
          "Let all nodes report by exception, and only so many move at a time; without it all"
              + " move and send every sample.")
  private String moving;

  @Option(
      names = "--controllers",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Compare one controller with so many that share the fleet, and kill one of them under load."
              + " All nodes move.")
  private int controllers;

  BenchFleetCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    for (int size : nodes) {
      BenchCommand.check(spec, "--nodes", size, 1, MAX_NODES);
    }
    BenchCommand.check(spec, "--controllers", controllers, 1, MAX_CONTROLLERS);
    if (controllers > 1) {
      return compareControllers();
    }
    Findings findings =
        new FleetRuns(
                context.home(),
                context.environment(),
                nodes,
                ownConnections,
                movingRatio(),
                duration.warmUpSeconds(),
                duration.seconds())
            .run(context.err());
    String page = "fleet" + (moving == null ? "" : "-moving");
    BenchCommand.report(
        output, ownConnections ? page + "-own-connections" : page, findings, spec, context);
    return 0;
  }

  private Integer compareControllers() throws Exception {
    if (nodes.size() != 1 || ownConnections || moving != null) {
      throw new ParameterException(
          spec.commandLine(), "--controllers: only with one number of --nodes, and without others");
    }
    Findings findings =
        new SharedFleetBench(
                context.home(),
                context.environment(),
                nodes.get(0),
                controllers,
                duration.warmUpSeconds(),
                duration.seconds())
            .run(context.err());
    BenchCommand.report(output, "fleet-controllers", findings, spec, context);
    return 0;
  }

  private Double movingRatio() {
    try {
      return moving == null ? null : Quantities.ratio(moving);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--moving: " + e.getMessage(), e);
    }
  }
}
