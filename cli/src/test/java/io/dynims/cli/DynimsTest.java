package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.local.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DynimsTest {

  @TempDir private Path folder;
  private Path project;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void useAnEmptyHome() {
    project = folder;
    environment.put("DYNIMS_HOME", folder.resolve("home").toString());
  }

  @Test
  void listsItsCommandsInTheHelp() {
    assertThat(run("--help")).isZero();
    assertThat(text(out))
        .contains(
            "up",
            "down",
            "status",
            "logs",
            "tiers",
            "policies",
            "completion",
            "simulate",
            "trace",
            "tier-check",
            "doctor",
            "DYNIMS_HOME");
  }

  @Test
  void refusesAnUnknownCommandWithAHint() {
    assertThat(run("stats")).isEqualTo(2);
    assertThat(text(err)).contains("stats", "status", "--help");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "logs",
        "logs nobody",
        "logs kafka -n -1",
        "up nobody",
        "up --set x",
        "up --set no.such=1",
        "up --store disk",
        "tiers -o xml",
        "policies -o xml",
        "completion fish"
      })
  void refusesWrongArguments(String line) {
    assertThat(run(line.isEmpty() ? new String[0] : line.split(" ", -1))).isEqualTo(2);
  }

  @Test
  void listsThePartsIfALogIsRequestedOfAnUnknownOne() {
    run("logs", "nobody");

    assertThat(text(err)).contains("'nobody'", "kafka", "alluxio-worker", "collectd");
  }

  @Test
  void namesABadSettingFromTheEnvironment() {
    environment.put("DYNIMS_KAFKA_PORT", "many");

    assertThat(run("status")).isEqualTo(2);
    assertThat(text(err)).contains("kafka.port", "many");
  }

  @Test
  void showsEveryPartAsStoppedBeforeTheFirstStart() {
    assertThat(run("status")).isEqualTo(3);
    assertThat(text(out).lines().skip(1)).hasSize(7).allMatch(line -> line.contains("stopped"));
  }

  @Test
  void anotherStoreHasOtherParts() {
    environment.put("DYNIMS_STORE", "redis");

    assertThat(run("status")).isEqualTo(3);
    assertThat(text(out)).contains("redis", "adapter").doesNotContain("alluxio");
  }

  @Test
  void downIsANoOpIfNothingIsRunning() {
    assertThat(run("down")).isZero();
    assertThat(folder.resolve("home")).doesNotExist();
  }

  @Test
  void saysHowToStartAControllerThatIsDown() throws Exception {
    environment.put("DYNIMS_CONTROLLER_PORT", Integer.toString(FreePorts.next()));

    for (String command : List.of("tiers", "policies", "explain node-1")) {
      assertThat(run(command.split(" ", -1))).isEqualTo(1);
      assertThat(text(err)).contains("the controller does not answer", "./dynims up");
      err.reset();
    }
  }

  @Test
  void showsTiersAsTheKubectlPluginDoes() throws Exception {
    project = Path.of("..");
    String json =
        """
        {
          "tiers": [
            {
              "node": "node-1",
              "tier": "alluxio",
              "capacityBytes": 1073741824,
              "utilization": 0.5,
              "ageMillis": 80,
              "lastDecision": {
                "action": "Hold",
                "reason": "r = r0"
              }
            }
          ]
        }
        """;
    try (ControllerStub controller = new ControllerStub()) {
      controller.answer = json;
      environment.put("DYNIMS_CONTROLLER_PORT", Integer.toString(controller.port()));
      assertThat(run("tiers")).isZero();
      assertThat(text(out)).contains("NODE", "node-1", "1.0Gi", "50.0%", "80ms");
      out.reset();
      assertThat(run("tiers", "-o", "wide")).isZero();
      assertThat(text(out)).contains("WHY", "r = r0");
      out.reset();
      assertThat(run("tiers", "-o", "json")).isZero();
      assertThat(text(out)).isEqualTo(json);
      assertThat(controller.requests).containsOnly("GET /api/v1/tiers");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void printsTheCompletionOfAShell(String shell) {
    assertThat(run("completion", shell)).isZero();
    assertThat(text(out)).contains("complete -F _complete_dynims", "tier-check", "--policy");
  }

  @Test
  void showsTheEndOfALog() throws Exception {
    Path logs = Files.createDirectories(folder.resolve("home/logs"));
    Files.writeString(logs.resolve("kafka.log"), "one\ntwo\nthree\n");
    Files.writeString(logs.resolve("redis.log"), "of an earlier stack\n");

    assertThat(run("logs", "kafka", "-n", "2")).isZero();
    assertThat(text(out)).isEqualTo("two\nthree\n");
    out.reset();
    assertThat(run("logs", "redis")).isZero();
    assertThat(text(out)).isEqualTo("of an earlier stack\n");
    assertThat(run("logs", "flink")).isEqualTo(1);
    assertThat(text(err)).contains("never started");
  }

  private int run(String... args) {
    return Dynims.run(
        new CliContext(
            project,
            environment,
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8)),
        List.of(),
        args);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(UTF_8);
  }
}
