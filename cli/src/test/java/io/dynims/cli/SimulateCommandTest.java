package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SimulateCommandTest {

  private static final String STEP = "../experiments/traces/step.csv";
  private static final String PAPER = "../experiments/traces/paper.yaml";

  private static final String HISTORY =
      """
      {"decisions": [
        {"node": "n", "tier": "t", "desiredBytes": 40, "previousBytes": 40, "tierUsedBytes": 40,
         "memoryUsedBytes": 80, "memoryTotalBytes": 100, "utilization": 0.8, "action": "Hold",
         "reason": "", "limitedBy": "None", "sampledMillis": 1100, "decidedMillis": 1101},
        {"node": "n", "tier": "t", "desiredBytes": 40, "previousBytes": 50, "tierUsedBytes": 50,
         "memoryUsedBytes": 70, "memoryTotalBytes": 100, "utilization": 0.7, "action": "Shrink",
         "reason": "", "limitedBy": "None", "sampledMillis": 1000, "decidedMillis": 1001}]}
      """;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void printsOneRowForEachOfTheTraceAndASummary() {
    assertThat(run("--trace", STEP, "--policy", PAPER, "--free-rate", "10GiB/s")).isZero();

    assertThat(text(out).lines()).hasSize(601);
    assertThat(text(out))
        .startsWith(
            "millis,jobBytes,totalBytes,capacityBytes,tierBytes,utilization,action,limitedBy\n");
    assertThat(text(err))
        .contains("maximum utilization", "ticks above the threshold", "direction changes");
  }

  @Test
  void saysNothingBesidesWhenQuiet() {
    assertThat(run("--trace", STEP, "--policy", PAPER, "--quiet")).isZero();

    assertThat(text(err)).isEmpty();
  }

  @Test
  void readsTheTraceFromStandardInput() {
    var command =
        new SimulateCommand(context(), new ByteArrayInputStream("0,1000,2000\n".getBytes(UTF_8)));

    int exitCode =
        new CommandLine(command)
            .execute("--trace", "-", "--policy", PAPER, "--quiet", "--start", "100");

    assertThat(exitCode).isZero();
    assertThat(text(out).lines().skip(1)).containsExactly("0,1000,2000,332,332,0.55,Grow,None");
  }

  @Test
  void printsNothingButTheHeaderForAnEmptyTrace(@TempDir Path folder) throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.csv"), "millis,jobBytes,totalBytes\n");

    assertThat(run("--trace", empty.toString(), "--policy", PAPER)).isZero();
    assertThat(text(out).lines()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "--trace none.csv --policy ../experiments/traces/paper.yaml, none.csv: does not exist",
    "--trace ../experiments/traces/step.csv --policy none.yaml, none.yaml: does not exist",
    "--trace ../experiments/traces/paper.yaml --policy ../experiments/traces/paper.yaml, 'traces/paper.yaml, line 1'",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/step.csv, 'step.csv: not YAML'",
    "--trace ../experiments/traces/step.csv, --policy",
    "--policy ../experiments/traces/paper.yaml, 'one of --trace, --node and --history'",
    "--trace a --node n --policy ../experiments/traces/paper.yaml, 'one of --trace, --node and --history'",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml --delay -1, --delay: -1 is below 0",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml --fill-rate fast, --fill-rate",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml --start much, --start",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml --demand 120%, --demand",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml --loss 2, --loss",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml --svg x.svg, --svg",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml -o json, -o",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml --compare Magic, '''Magic'' is not one of [Feedback, Forecast]'",
    "--trace ../experiments/traces/step.csv --policy ../experiments/traces/paper.yaml --compare Feedback --law Feedback, --law"
  })
  void refusesWhatItCannotUse(String line, String message) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(text(err)).contains(message);
  }

  @Test
  void takesAnotherLawThanThePolicys() {
    assertThat(run("--trace", STEP, "--policy", PAPER, "--quiet")).isZero();
    String feedback = text(out);
    out.reset();
    assertThat(run("--trace", STEP, "--policy", PAPER, "--quiet", "--law", "Forecast")).isZero();

    assertThat(text(out).lines()).hasSize(601);
    assertThat(text(out)).isNotEqualTo(feedback);
  }

  @Test
  void comparesLawsInATableAndAPicture(@TempDir Path folder) throws Exception {
    Path svg = folder.resolve("laws.svg");

    assertThat(run("--trace", STEP, "--policy", PAPER, "--compare", "--svg", svg.toString()))
        .isZero();

    assertThat(text(out).lines().map(line -> line.split(" ", 2)[0]))
        .containsExactly("LAW", "Feedback", "Forecast");
    assertThat(Files.readString(svg)).contains("utilization", "r0", "job memory", "Forecast");
  }

  @Test
  void comparesLawsAsJson() throws Exception {
    assertThat(run("--trace", STEP, "--policy", PAPER, "--compare", "feedback", "-o", "json"))
        .isZero();

    JsonNode law = new ObjectMapper().readTree(text(out)).path("laws").path(0);
    assertThat(law.path("law").asText()).isEqualTo("Feedback");
    assertThat(law.path("maxUtilization").asDouble()).isGreaterThan(1);
    assertThat(law.path("aboveMemoryMillis").asLong()).isPositive();
    assertThat(law.path("meanTierBytes").asLong()).isBetween(30_000_000_000L, 60_000_000_000L);
    assertThat(law.path("evictedBytes").asLong()).isPositive();
    assertThat(law.has("filledBytes") && law.has("directionChanges")).isTrue();
    assertThat(law.has("aboveThresholdMillis")).isTrue();
  }

  @Test
  void comparesAPolicyWithWhatWasRecorded(@TempDir Path folder) throws Exception {
    Path svg = folder.resolve("what-if.svg");
    String line = "--history - --policy " + PAPER + " -o json --svg " + svg;
    var command = new SimulateCommand(context(), new ByteArrayInputStream(HISTORY.getBytes(UTF_8)));

    assertThat(new CommandLine(command).execute(line.split(" "))).isZero();

    JsonNode laws = new ObjectMapper().readTree(text(out)).path("laws");
    assertThat(laws)
        .extracting(law -> law.path("law").asText())
        .containsExactly("recorded", "Feedback");
    assertThat(laws.path(0).path("maxUtilization").asDouble()).isEqualTo(0.8);
    assertThat(laws.path(0).path("meanTierBytes").asLong()).isEqualTo(40);
    assertThat(laws.path(0).path("evictedBytes").asLong()).isEqualTo(10);
    // It starts with what the recorded tier had.
    assertThat(laws.path(1).path("maxUtilization").asDouble()).isBetween(0.7, 1.2);
    assertThat(text(err)).contains("2 rows of 100 ms");
    assertThat(Files.readString(svg)).contains("recorded", "Feedback");
  }

  @Test
  void aHistoryThatIsNoneIsRefused(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("history.json"), "{\"tiers\":[]}");

    assertThat(run("--history", file.toString(), "--policy", PAPER)).isEqualTo(2);
    assertThat(text(err)).contains("history.json: is no history");
    Files.writeString(file, "{\"decisions\":[]}");
    assertThat(run("--history", file.toString(), "--policy", PAPER)).isEqualTo(1);
    assertThat(text(err)).contains("no decisions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--demand 20%",
        "--demand 20G",
        "--locked 50G",
        "--start-used 1G",
        "--loss 50% --seed 3"
      })
  void changesTheTierAndItsLinkAsTold(String options) {
    String line = "--trace " + STEP + " --policy " + PAPER + " --fill-rate 1G --quiet";
    assertThat(run(line.split(" ", -1))).isZero();
    String plain = text(out);
    out.reset();
    assertThat(run((line + " " + options).split(" ", -1))).isZero();

    assertThat(text(out).lines()).hasSize(601);
    assertThat(text(out)).isNotEqualTo(plain);
  }

  @Test
  void makesTraces() {
    assertThat(Dynims.run(context(), List.of(), "trace", "ramp", "--seed", "7")).isZero();
    assertThat(text(out).lines()).hasSize(601);

    assertThat(Dynims.run(context(), List.of(), "trace", "flat")).isEqualTo(2);
    assertThat(text(err)).contains("flat", "ramp, step, sawtooth, hpcc, noisy");

    assertThat(Dynims.run(context(), List.of(), "trace")).isEqualTo(2);
    assertThat(text(err)).contains("NAME");
  }

  private int run(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "simulate";
    System.arraycopy(args, 0, all, 1, args.length);
    return Dynims.run(context(), List.of(), all);
  }

  private CliContext context() {
    return new CliContext(
        Path.of(".."),
        Map.of(),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8));
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(UTF_8);
  }
}
