package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackHome;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs fleets of several sizes, each on a stack started for it.
 *
 * @param home the home of the user's stack
 * @param environment the environment variables
 * @param sizes the numbers of nodes
 * @param load what the nodes do
 * @param warmUpSeconds the time before each measurement
 * @param seconds the duration of each measurement
 */
public record FleetRuns(
    StackHome home,
    Map<String, String> environment,
    List<Integer> sizes,
    FleetLoad load,
    int warmUpSeconds,
    int seconds) {

  /**
   * Runs the fleets. A size that cannot be served is reported as a missed goal.
   *
   * @throws StackException if no size can be served
   */
  public Findings run(PrintStream progress)
      throws ConfigException, StackException, IOException, InterruptedException {
    List<FleetReport> reports = new ArrayList<>();
    Map<Integer, String> unserved = new TreeMap<>();
    for (int nodes : sizes) {
      try (BenchStack stack = new BenchStack(home, environment, false, progress)) {
        reports.add(new FleetBench(stack, load, progress).run(nodes, warmUpSeconds, seconds));
      } catch (UnservedException e) {
        progress.printf("%d nodes: %s%n", nodes, e.getMessage());
        unserved.put(nodes, e.getMessage());
        if (unserved.size() == sizes.size()) {
          throw e;
        }
      }
    }
    return FleetFindings.of(reports, unserved, load, warmUpSeconds);
  }
}
