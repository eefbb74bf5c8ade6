package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackHome;
import io.dynims.core.config.ConfigException;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Fleets of one size after the other, each in a stack that was started for it.
 *
 * @param home of the user's stack
 * @param environment the environment variables
 * @param sizes how many nodes
 * @param ownConnections whether each node has a connection of its own to the broker, as collectd
 *     has; else all share one
 * @param warmSeconds before each is measured
 * @param seconds for which each is measured
 */
public record FleetRuns(
    StackHome home,
    Map<String, String> environment,
    List<Integer> sizes,
    boolean ownConnections,
    int warmSeconds,
    int seconds) {

  /**
   * Runs them. A size that cannot be served is told among the goals, and ends nothing.
   *
   * @throws StackException when no size can be served
   */
  public Findings run(PrintStream progress)
      throws ConfigException, StackException, IOException, InterruptedException {
    List<FleetReport> reports = new ArrayList<>();
    Map<Integer, String> unserved = new TreeMap<>();
    for (int nodes : sizes) {
      try (BenchStack stack = new BenchStack(home, environment, false, progress)) {
        reports.add(
            new FleetBench(stack, ownConnections, progress).run(nodes, warmSeconds, seconds));
      } catch (UnservedException e) {
        progress.printf("%d nodes: %s%n", nodes, e.getMessage());
        unserved.put(nodes, e.getMessage());
        if (unserved.size() == sizes.size()) {
          throw e;
        }
      }
    }
    return FleetFindings.of(reports, unserved, ownConnections, warmSeconds);
  }
}
