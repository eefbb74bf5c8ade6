package io.dynims.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.experiments.Commands.Outcome;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.TestRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchReportTest {

  private static final Goal SLOW = Goal.figure("speed", "at least 2", "1", false);
  private static final Goal RIGHT = Goal.none("wrong bytes", 0, 7);
  private static final Goal WRONG = Goal.none("wrong bytes", 3, 7);
  private static final Goal NOTHING_READ = Goal.none("other wrong bytes", 0, 0);

  @TempDir private Path project;

  @Test
  void aMissedFigureIsReportedAndFailsNothing() {
    Outcome outcome = report(List.of(SLOW, RIGHT));

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("at least 2");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void eachGoalThatMustHoldAndDoesNotIsNamedOnALineAfterTheReport() {
    Outcome outcome = report(List.of(SLOW, WRONG, NOTHING_READ));

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).contains("at least 2", "3 of 7");
    assertThat(outcome.err().lines())
        .containsExactly(
            "dynims: planted: must hold and does not: wrong bytes: 3 of 7, not 0",
            "dynims: planted: must hold and does not: other wrong bytes: 0 of 0, not 0");
  }

  @Test
  void theJsonSaysWhichGoalsMustHold() throws Exception {
    Outcome outcome = report(List.of(SLOW, WRONG), "-o", "json");

    assertThat(outcome.exitCode()).isEqualTo(1);
    JsonNode goals = new ObjectMapper().readTree(outcome.out()).path("goals");
    assertThat(goals.path(0).path("mustHold").asBoolean(true)).isFalse();
    assertThat(goals.path(1).path("mustHold").asBoolean()).isTrue();
  }

  @Test
  void aBrokenRunIsSavedBesideTheLastSoundOne() throws Exception {
    TestRepository repository = new TestRepository(project);
    repository.write("source", "");
    repository.commit();
    Path saved = project.resolve("experiments/results/planted.md");
    assertThat(report(List.of(RIGHT), "--save").exitCode()).isZero();
    String sound = Files.readString(saved);

    assertThat(report(List.of(WRONG), "--save").exitCode()).isEqualTo(1);

    assertThat(saved).hasContent(sound);
    assertThat(saved.resolveSibling("planted-failed.md")).content().contains("3 of 7");
  }

  private Outcome report(List<Goal> goals, String... args) {
    Findings findings =
        new Findings("Planted", Map.of("a", 1), List.of(), goals, List.of(), List.of());
    return Commands.report(findings, project, args);
  }
}
