package io.dynims.experiments;

import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.fleet.FleetRuns;
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
        "Measure what many nodes at 10 Hz cost, and how fast they are served: real broker, job and"
            + " controller, simulated nodes.")
final class BenchFleetCommand implements Callable<Integer> {

  private static final int MAX_NODES = 20_000;

  private final Surroundings surroundings;

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

  BenchFleetCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws Exception {
    for (int size : nodes) {
      check("--nodes", size, 1, MAX_NODES);
    }
    check("--seconds", seconds, 1, 3_600);
    check("--warm-up", warmSeconds, 0, 3_600);
    Findings findings =
        new FleetRuns(surroundings.home(), surroundings.environment(), nodes, warmSeconds, seconds)
            .run(surroundings.err());
    output.tell(
        "fleet",
        findings,
        spec.root().commandLine().getParseResult().originalArgs(),
        surroundings.home().project(),
        surroundings.out(),
        surroundings.err());
    return 0;
  }

  private void check(String option, int value, int least, int greatest) {
    if (value < least || value > greatest) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + value + " is not from " + least + " to " + greatest);
    }
  }
}
