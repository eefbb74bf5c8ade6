package io.dynims.experiments.bench.fleet;

import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The cost of a fleet for one controller and for several that share it.
 *
 * @param nodes the number of simulated nodes
 * @param alone with one controller
 * @param shared with several
 */
record SharedFleetReport(int nodes, Run alone, Run shared) {

  private static final double GOAL_FACTOR = 1.8;
  private static final double GOAL_MILLIS = 2_000;

  /**
   * One fleet.
   *
   * @param cores what each controller used, in cores
   * @param eventLoops what the busiest event loop of each controller used, in cores
   * @param sampleToInForceMillis from the sample until the adapter received the resulting capacity
   * @param sampleToAckMillis from the sample until a consumer of the topic received the ack
   * @param samples the number of samples that were sent
   * @param missedTicks the number of samples without an ack
   * @param takeover what the loss of a controller did; null where none was lost
   */
  record Run(
      Map<String, Double> cores,
      Map<String, Double> eventLoops,
      Percentiles sampleToInForceMillis,
      Percentiles sampleToAckMillis,
      long samples,
      long missedTicks,
      Takeover takeover) {

    Run with(Takeover newTakeover) {
      return new Run(
          cores,
          eventLoops,
          sampleToInForceMillis,
          sampleToAckMillis,
          samples,
          missedTicks,
          newTakeover);
    }

    double busiestLoop() {
      return eventLoops.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
  }

  /**
   * What the loss of a controller did.
   *
   * @param pushedAgainMillis from the kill until each of its nodes was pushed to again
   * @param unservedNodes the nodes that were not pushed to at the end
   * @param refusedBefore the pushes of earlier terms that adapters had refused until the kill
   * @param refusedAfter and since
   */
  record Takeover(
      Percentiles pushedAgainMillis, int unservedNodes, long refusedBefore, long refusedAfter) {}

  /** How many times as many nodes the busiest event loop of several could serve. */
  double factor() {
    return alone.busiestLoop() / shared.busiestLoop();
  }

  Findings findings(int warmUpSeconds) {
    return new Findings(
        "A fleet that controllers share",
        this,
        List.of(
            "A broker, a job and controllers, each a process, serve simulated nodes on the same"
                + " machine; every node moves and is sampled ten times a second. First one controller"
                + " serves all nodes, then several share them (controllers.share), with the same 12"
                + " partitions.",
            "An event loop is one thread, so a controller serves no more nodes than its event loop has"
                + " time for. The factor is the processor time of the one controller's event loop,"
                + " divided by that of the busiest event loop of those that share.",
            "At the end one controller is killed under the load. An adapter counts as pushed to again"
                + " when it gets the first push of a later term; it refuses pushes of earlier terms, and"
                + " counts them.",
            "Each stack was started for its run and ran under the same load for "
                + warmUpSeconds
                + " s before the measurement."),
        goals(),
        List.of(costs(), takeover()),
        List.of());
  }

  private List<Goal> goals() {
    Takeover lost = shared.takeover();
    double factor = factor();
    return List.of(
        Goal.figure(
            shared.cores().size() + " controllers: nodes that they can serve, compared with one",
            "at least × " + Percentiles.text(GOAL_FACTOR),
            "× " + Percentiles.text(factor),
            factor >= GOAL_FACTOR),
        Goal.figure(
            "nodes of a killed controller pushed to again, the last one",
            "within " + Percentiles.text(GOAL_MILLIS) + " ms",
            Percentiles.text(lost.pushedAgainMillis().max()) + " ms",
            lost.pushedAgainMillis().max() <= GOAL_MILLIS),
        Goal.mustHold(
            "nodes that nobody pushes to after a controller was killed",
            "0",
            Integer.toString(lost.unservedNodes()),
            lost.unservedNodes() == 0 && lost.pushedAgainMillis().count() > 0));
  }

  private Table costs() {
    List<List<String>> rows = new ArrayList<>();
    for (Run run : List.of(alone, shared)) {
      run.cores()
          .forEach(
              (name, cores) ->
                  rows.add(
                      List.of(
                          String.valueOf(run.cores().size()),
                          name,
                          Percentiles.text(cores),
                          Percentiles.text(run.eventLoops().get(name)),
                          run.sampleToInForceMillis().text(),
                          run.sampleToAckMillis().text(),
                          run.missedTicks() + " of " + run.samples())));
    }
    return new Table(
        nodes
            + " nodes: cores of each controller; latencies of the whole fleet in ms, p50 / p99 / max",
        List.of(
            "controllers",
            "program",
            "cores",
            "of which the busiest event loop",
            "sample to in force",
            "sample to ack",
            "missed"),
        rows);
  }

  private Table takeover() {
    Takeover lost = shared.takeover();
    return new Table(
        "One of " + shared.cores().size() + " controllers killed",
        List.of(
            "nodes taken over",
            "pushed to again after ms, p50 / p99 / max",
            "not pushed to at the end",
            "pushes refused before",
            "after"),
        List.of(
            List.of(
                String.valueOf(lost.pushedAgainMillis().count()),
                lost.pushedAgainMillis().text(),
                String.valueOf(lost.unservedNodes()),
                String.valueOf(lost.refusedBefore()),
                String.valueOf(lost.refusedAfter()))));
  }
}
