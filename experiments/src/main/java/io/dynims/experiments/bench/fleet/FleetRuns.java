package io.dynims.experiments.bench.fleet;

import io.dynims.core.config.ConfigException;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.stack.StackException;
import io.dynims.experiments.stack.StackHome;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Fleets of one size after the other, each in a stack that was started for it.
 *
 * @param home of the user's stack
 * @param environment the environment variables
 * @param sizes how many nodes
 * @param warmSeconds before each is measured
 * @param seconds for which each is measured
 */
public record FleetRuns(
    StackHome home,
    Map<String, String> environment,
    List<Integer> sizes,
    int warmSeconds,
    int seconds) {

  /** Runs them. */
  public Findings run(PrintStream progress)
      throws ConfigException, StackException, IOException, InterruptedException {
    List<FleetReport> reports = new ArrayList<>();
    for (int nodes : sizes) {
      try (BenchStack stack = new BenchStack(home, environment, false, progress)) {
        reports.add(new FleetBench(stack, progress).run(nodes, warmSeconds, seconds));
      }
    }
    return FleetFindings.of(reports, warmSeconds);
  }
}
