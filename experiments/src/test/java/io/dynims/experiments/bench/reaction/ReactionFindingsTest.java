package io.dynims.experiments.bench.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.Machine;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.reaction.LoopTrace.Slice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReactionFindingsTest {

  private static final ReactionOptions OPTIONS = new ReactionOptions(false, 1, 2);

  @TempDir private Path folder;
  private Side dynims;
  private Side prototype;
  private long readsCorrect = 1;
  private long readsWrong;

  @BeforeEach
  void measure() throws Exception {
    dynims = side("dynims");
    prototype = side("prototype");
  }

  @Test
  void reportsBothDesignsAndTheirRatio() throws Exception {
    for (int i = 0; i < 100; i++) {
      dynims.hops().whole().addMillis(10);
      prototype.hops().whole().addMillis(2_000);
    }
    dynims.touches().first().addMillis(80);

    Findings findings = findings();
    JsonNode json = new ObjectMapper().valueToTree(findings.json());

    assertThat(json.path("ratioP99").asDouble()).isBetween(199.0, 201.0);
    for (String side : List.of("dynims", "prototype")) {
      assertThat(json.path(side).path("sampleToInForceMillis").fieldNames())
          .toIterable()
          .contains("p50", "p99", "max");
      assertThat(json.path(side).path("hopsMillis").fieldNames())
          .toIterable()
          .containsExactly(
              "collectdToBroker", "brokerToDecided", "decidedToBroker", "brokerToInForce");
    }
    assertThat(json.at("/dynims/touchToFreedMillis/max").asDouble()).isBetween(79.0, 81.0);
    assertThat(findings.goals()).allMatch(Goal::met);
    assertThat(findings.figures()).allSatisfy(f -> assertThat(f.svg()).contains("</svg>"));
  }

  @Test
  void missesItsGoalsIfNothingWasMeasured() throws Exception {
    readsCorrect = 0;
    measure();
    assertThat(findings().goals()).noneMatch(Goal::met);
  }

  @Test
  void aWrongByteFailsTheBenchmarkAndASlowReactionDoesNot() throws Exception {
    dynims.hops().whole().addMillis(10_000);
    prototype.hops().whole().addMillis(10_000);
    assertThat(Commands.report(findings(), folder).exitCode()).isZero();

    readsWrong = 1;
    prototype = side("prototype");
    prototype.hops().whole().addMillis(10_000);
    Outcome outcome = Commands.report(findings(), folder);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("failed reads, or reads with a wrong byte: 1 of 3, not 0");
  }

  @Test
  void soDoesTlsOnWhichNoCapacityComesIntoForce() throws Exception {
    dynims.hops().whole().addMillis(10);

    Outcome outcome =
        Commands.report(
            new SecureReactionFindings(settings(), OPTIONS, dynims, side("secure")).findings(),
            folder);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("secure: samples that led to a capacity in force: 0");
  }

  private Findings findings() throws Exception {
    return new ReactionFindings(settings(), OPTIONS, dynims, prototype).findings();
  }

  private StackSettings settings() throws Exception {
    return StackSettings.forNewStack(
        new StackHome(folder, folder), List.of(), Map.of(), new Machine(8L << 30, 6L << 30));
  }

  private Side side(String name) throws Exception {
    Hops hops = Hops.of(new Slice(List.of(), List.of(), List.of()));
    return new Side(name, hops, new TouchSteps(folder), 1.5, 3, true, readsCorrect, readsWrong);
  }
}
