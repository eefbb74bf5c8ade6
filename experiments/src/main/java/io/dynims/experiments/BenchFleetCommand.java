package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.core.quantity.Quantities;
import io.dynims.experiments.bench.BenchDuration;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.fleet.FleetLoad;
import io.dynims.experiments.bench.fleet.FleetRuns;
import io.dynims.experiments.bench.fleet.SharedFleetBench;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @Mixin private final BenchOutput output;
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
          "Let only so many nodes move at a time, and all report by exception. The nodes of a job"
              + " move together. Without it, and without --trace, all move and send every sample.")
  private String moving;

  @Option(
      names = "--trace",
      paramLabel = "NAME",
      arity = "0..1",
      fallbackValue = "hpcc",
      description =
          "Let each node repeat this trace of experiments/traces from a moment of its own, and all"
              + " report by exception. Without a name: ${FALLBACK-VALUE}.")
  private String trace;

  @Option(
      names = "--every-sample",
      description = "Send every sample also with --moving and --trace.")
  private boolean everySample;

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
    this.output = new BenchOutput(context.home().project());
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
    if (moving != null && trace != null) {
      throw new ParameterException(
          spec.commandLine(), "--moving and --trace: only one of them says what the nodes do");
    }
    if (everySample && moving == null && trace == null) {
      throw new ParameterException(
          spec.commandLine(), "--every-sample: only with --moving or --trace");
    }
    boolean byException = (moving != null || trace != null) && !everySample;
    var load = new FleetLoad(movingRatio(), traceFile(), byException, ownConnections);
    Findings findings =
        new FleetRuns(
                context.home(),
                context.environment(),
                nodes,
                load,
                duration.warmUpSeconds(),
                duration.seconds())
            .run(context.err());
    return BenchCommand.report(output, page(), findings, spec, context);
  }

  /** Each kind of load has a page of results of its own. */
  private String page() {
    return "fleet"
        + (moving == null ? "" : "-moving")
        + (trace == null ? "" : "-trace")
        + (everySample ? "-every-sample" : "")
        + (ownConnections ? "-own-connections" : "");
  }

  private Path traceFile() {
    if (trace == null) {
      return null;
    }
    Path file = context.home().project().resolve("experiments/traces").resolve(trace + ".csv");
    if (!Files.isRegularFile(file)) {
      throw new ParameterException(
          spec.commandLine(), "--trace: " + trace + " is not in experiments/traces");
    }
    return file;
  }

  private Integer compareControllers() throws Exception {
    if (nodes.size() != 1 || ownConnections || moving != null || trace != null || everySample) {
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
    return BenchCommand.report(output, "fleet-controllers", findings, spec, context);
  }

  private Double movingRatio() {
    try {
      return moving == null ? null : Quantities.ratio(moving);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--moving: " + e.getMessage(), e);
    }
  }
}
