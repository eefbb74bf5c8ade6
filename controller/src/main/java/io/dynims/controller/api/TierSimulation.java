package io.dynims.controller.api;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.SimulationSummary;
import io.dynims.simulation.Tick;
import io.dynims.simulation.TraceRecording;
import java.util.ArrayList;
import java.util.List;

/**
 * What a tier did, and what it would have done under another policy on the same node.
 *
 * @param law the law of the simulated policy
 * @param threshold its r0
 * @param gain its λ
 * @param recorded the figures of what the tier did
 * @param simulated the figures of the simulation
 * @param points both, a point for each recorded decision, oldest first
 */
record TierSimulation(
    String node,
    String tier,
    LawType law,
    double threshold,
    double gain,
    Figures recorded,
    Figures simulated,
    List<Point> points) {

  /**
   * The figures by which policies are compared; each counts from the first decision to the last.
   *
   * @param aboveThresholdMillis how long the utilization was more than 0.01 above the threshold,
   *     which for what was recorded is that of each decision
   */
  record Figures(
      double maxUtilization,
      long aboveMemoryMillis,
      long aboveThresholdMillis,
      long meanCapacityBytes,
      long meanTierBytes,
      long evictedBytes,
      long filledBytes,
      long directionChanges) {

    static Figures of(List<Tick> ticks) {
      SimulationSummary summary = new SimulationSummary();
      ticks.forEach(summary::add);
      return new Figures(
          summary.maxUtilization(),
          summary.aboveMemoryMillis(),
          summary.aboveThresholdMillis(),
          summary.meanCapacityBytes(),
          summary.meanTierBytes(),
          summary.totals().evictedBytes(),
          summary.totals().filledBytes(),
          summary.directionChanges());
    }
  }

  /**
   * One moment of both.
   *
   * @param sampledMillis when the node was sampled
   * @param recordedUtilization the node's utilization then
   * @param utilization what it would have been
   * @param recordedCapacityBytes the capacity in force after the decision on that sample
   * @param capacityBytes what it would have been
   */
  record Point(
      long sampledMillis,
      double recordedUtilization,
      double utilization,
      long recordedCapacityBytes,
      long capacityBytes) {

    static Point of(Tick recorded, Tick simulated) {
      return new Point(
          recorded.row().millis(),
          recorded.utilization(),
          simulated.utilization(),
          recorded.capacityBytes(),
          simulated.capacityBytes());
    }
  }

  /**
   * Simulates a policy on what was recorded of a tier. The simulated tier starts as the real one
   * did, and gives memory back and fills up at once.
   *
   * @param decisions for the tier, in any order
   * @throws ApiException if none of them says what the tier held
   */
  static TierSimulation of(Policy policy, List<Target> decisions) {
    TraceRecording recording = new TraceRecording(decisions);
    if (recording.rows().isEmpty()) {
      throw ApiException.notFound(
          "tier '"
              + policy.tier()
              + "' of node '"
              + policy.node()
              + "' has no decision of that time that says what the tier held",
          "last");
    }
    List<Tick> recorded = recording.ticks();
    List<Tick> simulated = new ArrayList<>();
    new Simulation(policy, recording.startingAsRecorded(SimulationOptions.IDEAL))
        .run(recording.rows(), simulated::add);
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < recorded.size(); i++) {
      points.add(Point.of(recorded.get(i), simulated.get(i)));
    }
    return new TierSimulation(
        policy.node(),
        policy.tier(),
        policy.law(),
        policy.threshold(),
        policy.gain(),
        Figures.of(recorded),
        Figures.of(simulated),
        points);
  }
}
