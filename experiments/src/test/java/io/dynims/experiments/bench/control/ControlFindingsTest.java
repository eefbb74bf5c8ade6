package io.dynims.experiments.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackStore;
import io.dynims.core.law.LawType;
import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import io.dynims.experiments.bench.Findings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlFindingsTest {

  private final RecordedRun run = new RecordedRun();

  @TempDir private Path folder;

  @Test
  void reportsFiguresByLawAndLoad() {
    run.memory(103_000, 3_800, 1_800);
    run.memory(104_000, 4_000, 1_600);
    run.memory(111_000, 3_800, 1_800);
    run.ack(103_000, 1_800);

    Findings findings = findings(ControlLoad.HalfEmpty);
    JsonNode json = new ObjectMapper().valueToTree(findings.json());

    JsonNode figures = json.at("/laws/Feedback/half-empty");
    assertThat(figures.path("peakUtilization").asDouble()).isEqualTo(1);
    assertThat(figures.path("secondsAboveThreshold").asDouble()).isEqualTo(7);
    assertThat(figures.path("settleMillis").isIntegralNumber()).isTrue();
    assertThat(figures.path("readsWrong").asLong()).isEqualTo(1);
    assertThat(figures.at("/min/peakUtilization").asDouble()).isEqualTo(1);
    assertThat(figures.at("/max/meanUsedBytes").asLong()).isPositive();
    assertThat(figures.path("repetitions").asInt()).isEqualTo(2);
    assertThat(figures.path("startsMissed").asInt()).isZero();
    assertThat(json.path("repetitions").asInt()).isEqualTo(2);
  }

  @Test
  void drawsAPlotForEachLoadAndListsEachLoadInEachTable() {
    Findings findings = findings(ControlLoad.Step);

    assertThat(findings.figures())
        .singleElement()
        .satisfies(figure -> assertThat(figure.name()).isEqualTo("step"))
        .satisfies(
            figure -> assertThat(figure.svg()).contains("Feedback: what the tier holds", "load"));
    assertThat(findings.tables())
        .hasSize(3)
        .allSatisfy(table -> assertThat(table.rows()).hasSize(1))
        .allSatisfy(
            table -> assertThat(table.rows().get(0)).hasSameSizeAs(table.head()).contains("step"));
    assertThat(findings.method()).anyMatch(sentence -> sentence.startsWith("Load step: "));
  }

  @Test
  void aWrongByteInOneRunFailsTheBenchmark() {
    assertThat(report(LawType.Feedback, 0).exitCode()).isZero();

    Outcome outcome = report(LawType.Feedback, 1);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("reads, or reads with a wrong byte: 2 of 16, not 0");
  }

  @Test
  void soDoesALawThatIsToStayBelowTheNodesMemoryAndDoesNot() {
    run.memory(103_000, 3_800, 1_800);
    run.memory(103_500, 4_001, 2_001);
    run.memory(111_000, 3_800, 1_800);
    run.ack(103_000, 1_800);
    assertThat(report(LawType.Feedback, 0).exitCode()).isZero();

    Outcome outcome = report(LawType.Forecast, 0);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("half-empty: repetitions above M", "2 of 2");
  }

  private Outcome report(LawType law, long readsWrong) {
    ControlRun recorded = run.run(law, ControlLoad.HalfEmpty, readsWrong);
    ControlOptions options =
        new ControlOptions(
            StackStore.Alluxio, List.of(law), List.of(ControlLoad.HalfEmpty), 2, false);
    return Commands.report(
        new ControlFindings(2L << 30, options, true, List.of(recorded, recorded)).findings(),
        folder);
  }

  private Findings findings(ControlLoad load) {
    ControlRun recorded = run.run(load);
    ControlOptions options =
        new ControlOptions(StackStore.Alluxio, List.of(LawType.Feedback), List.of(load), 2, false);
    return new ControlFindings(2L << 30, options, true, List.of(recorded, recorded)).findings();
  }
}
