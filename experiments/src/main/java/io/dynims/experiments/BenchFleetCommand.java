package io.dynims.experiments;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.experiments.bench.fleet.FleetBench;
import io.dynims.experiments.stack.LocalStack;
import io.dynims.experiments.stack.Machine;
import io.dynims.experiments.stack.StackHome;
import io.dynims.experiments.stack.StackSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "bench-fleet", description = "Measure a fleet of simulated nodes.")
final class BenchFleetCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--nodes", paramLabel = "N", description = "How many nodes.")
  private int nodes = 100;

  @Option(names = "--seconds", paramLabel = "S", description = "How long it is measured.")
  private int seconds = 20;

  @Option(names = "--warm-up", paramLabel = "S", description = "How long it runs before that.")
  private int warmSeconds = 30;

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the stack.")
  private List<String> given = List.of();

  BenchFleetCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws Exception {
    StackHome home =
        new StackHome(
            surroundings.home().project(), surroundings.home().state().resolve("bench-fleet"));
    List<String> all =
        new ArrayList<>(
            List.of(
                "controller.java.options=-Xmx768m -XX:TieredStopAtLevel=4",
                "flink.java.options=-Xmx768m -XX:TieredStopAtLevel=4",
                "flink.options=--kafka.fetch.min=20000 --kafka.fetch.wait=5ms",
                "kafka.java.options=-Xmx768m -XX:TieredStopAtLevel=4"));
    all.addAll(given);
    StackSettings settings =
        StackSettings.forNewStack(home, all, surroundings.environment(), Machine.read());
    LocalStack stack = new LocalStack(home, settings, Machine.read(), surroundings.err());
    var report =
        new FleetBench(home, settings, stack, surroundings.err()).run(nodes, warmSeconds, seconds);
    surroundings.out().println(new ObjectMapper().writeValueAsString(report));
    return 0;
  }
}
