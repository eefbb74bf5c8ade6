package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetFindingsTest {

  @TempDir private Path folder;

  @Test
  void aSizeThatCannotBeServedIsAMissedGoal() {
    Findings findings =
        FleetFindings.of(
            List.of(report(1_000, 0.9, 0)),
            Map.of(5_000, "only 286 of 5000 were served"),
            FleetLoad.ALL_MOVE,
            90);

    assertThat(findings.goals())
        .extracting(Goal::figure, Goal::measured, Goal::met)
        .contains(
            tuple("1000 nodes: cores in total", "0.900", true),
            tuple("5000 nodes: served at all", "only 286 of 5000 were served", false));
    assertThat(((FleetReport) findings.json()).nodes()).isEqualTo(1_000);
  }

  @Test
  void theGeneratorDoesNotCountAsPartOfTheFleet() {
    assertThat(
            FleetFindings.of(List.of(report(1_000, 1.2, 0)), Map.of(), FleetLoad.ALL_MOVE, 90)
                .goals())
        .extracting(Goal::figure, Goal::met)
        .contains(tuple("1000 nodes: cores in total", false));
  }

  @Test
  void missedTicksMissTheGoalsForCost() {
    assertThat(
            FleetFindings.of(List.of(report(5_000, 1, 7)), Map.of(), FleetLoad.ALL_MOVE, 90)
                .goals())
        .extracting(Goal::figure, Goal::measured, Goal::met)
        .contains(
            tuple("5000 nodes: share of a core per node", "0.020 %, and 7 ticks missed", false),
            tuple("5000 nodes: missed ticks", "7 of 100", false));
  }

  @Test
  void aSlowColdStartMissesItsGoal() {
    List<FleetReport> reports = List.of(report(5_000, 1, 0, 12), report(10_000, 2, 0, 31));
    Findings findings = FleetFindings.of(reports, Map.of(), FleetLoad.ALL_MOVE, 90);
    String figure = " nodes: cold start until every node is served";
    assertThat(findings.goals())
        .extracting(Goal::figure, Goal::measured, Goal::met)
        .contains(tuple(5_000 + figure, "12.0 s", true), tuple(10_000 + figure, "31.0 s", false));
    assertThat(findings.tables().get(0).rows().get(0)).contains("12.0 / not reached");
  }

  @Test
  void aFleetOfWhichNothingIsAcknowledgedFailsTheBenchmarkAndMissedTicksDoNot() {
    assertThat(Commands.report(findings(99), folder).exitCode()).isZero();

    Outcome outcome = Commands.report(findings(100), folder);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("5000 nodes: samples acknowledged: 0 of 100");
  }

  private static Findings findings(long missed) {
    return FleetFindings.of(
        List.of(report(5_000, 1, missed)), Map.of(10_000, "no"), FleetLoad.ALL_MOVE, 90);
  }

  private static FleetReport report(int nodes, double cores, long missed) {
    return report(nodes, cores, missed, 10);
  }

  private static FleetReport report(int nodes, double cores, long missed, double servedSeconds) {
    Percentiles millis = new Percentiles(10, 20, 30, 12, 100);
    return new FleetReport(
        nodes,
        1,
        null,
        null,
        false,
        100,
        servedSeconds,
        null,
        30,
        millis,
        millis,
        100,
        missed,
        300,
        Map.of("kafka", cores, "flink", 0.0, "controller", 0.0, "generator", 5.0, "machine", 6.0),
        cores / nodes,
        Map.of("kafka", 1L, "flink", 1L, "controller", 1L),
        1);
  }
}
