package io.dynims.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordTraceCommandTest {

  private static final String DECISIONS =
      """
      {"decisions": [
        {"node": "n", "tier": "t", "desiredBytes": 50, "previousBytes": 50, "tierUsedBytes": 50,
         "memoryUsedBytes": 80, "memoryTotalBytes": 100, "utilization": 0.8, "action": "Hold",
         "reason": "", "limitedBy": "None", "sampledMillis": 1100, "decidedMillis": 1101},
        {"node": "n", "tier": "t", "desiredBytes": 50, "previousBytes": 50, "tierUsedBytes": 50,
         "memoryUsedBytes": 70, "memoryTotalBytes": 100, "utilization": 0.7, "action": "Hold",
         "reason": "", "limitedBy": "None", "sampledMillis": 1000, "decidedMillis": 1001}]}
      """;

  @TempDir private Path folder;
  private final CommandRuns commands = new CommandRuns();
  @AutoClose private ControllerStub controller;

  @BeforeEach
  void startController() throws IOException {
    controller = new ControllerStub();
    controller.answer = DECISIONS;
  }

  @Test
  void writesTheHistoryAsATrace() {
    assertThat(record("node 1", "--last", "2", "--tier", "t")).isZero();

    assertThat(controller.requests)
        .containsExactly("GET /api/v1/tiers/node%201/history?last=2&tier=t");
    assertThat(commands.out()).isEqualTo("millis,jobBytes,totalBytes\n1000,20,100\n1100,30,100\n");
    assertThat(commands.err()).isEqualTo("dynims: 2 rows of 100 ms\n");
  }

  @Test
  void writesToAFile() throws Exception {
    Path file = folder.resolve("node.csv");

    assertThat(record("node-1", "--last", "2", "--output", file.toString())).isZero();

    assertThat(commands.out()).isEmpty();
    assertThat(file).content().startsWith("millis,jobBytes,totalBytes\n1000,");
  }

  @Test
  void asksForAnHourIfNotTold() {
    assertThat(record("node-1")).isZero();

    assertThat(controller.requests).singleElement().asString().endsWith("/history?last=1h");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | {\"detail\": \"node 'x' is in no policy\", \"field\": \"node\"} | 2 | dynims: node 'x' is in no policy",
        "400 | {\"detail\": \"is required because node 'x' has several: [a, b]\", \"field\": \"tier\"} | 2 | dynims: --tier: is required because node 'x' has several: [a, b]",
        "400 | {\"detail\": \"'2h' is too much\", \"field\": \"last\"} | 2 | dynims: --last: '2h' is too much",
        "503 | {\"detail\": \"starting\"} | 1 | answers HTTP 503: starting",
        "404 | <html> | 1 | answers HTTP 404",
        "200 | {\"decisions\": []} | 1 | the controller has no decisions of 'x'",
        "200 | {\"tiers\": []} | 1 | the answer cannot be read"
      })
  void saysWhyThereIsNoTrace(int code, String body, int exitCode, String message) {
    controller.status = code;
    controller.answer = body;

    assertThat(record("x")).isEqualTo(exitCode);
    assertThat(commands.err()).contains(message);
    assertThat(commands.out()).isEmpty();
  }

  @Test
  void saysThatTheControllerIsAway() {
    controller.close();

    assertThat(record("x")).isEqualTo(1);
    assertThat(commands.err()).contains("does not answer at http://", "--url");
  }

  @Test
  void refusesAnAddressThatIsNone() {
    assertThat(commands.run(List.of("trace", "record", "x", "--url", "localhost"))).isEqualTo(1);
    assertThat(commands.err()).contains("'localhost' is not the address of a controller");
  }

  private int record(String... args) {
    List<String> all = new ArrayList<>(List.of("trace", "record"));
    all.addAll(List.of(args));
    all.addAll(List.of("--url", controller.url() + "/"));
    return commands.run(all);
  }
}
