package io.dynims.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintCommandTest {

  private static final String GIVEN =
      "{\"node\":\"n1\",\"owner\":\"%s\",\"bytes\":1073741824,\"startMillis\":1,\"expiresMillis\":%d}";

  private final CommandRuns commands = new CommandRuns();
  @AutoClose private ControllerStub controller;

  @BeforeEach
  void startController() throws IOException {
    controller = new ControllerStub();
  }

  @Test
  void givesAHint() throws Exception {
    controller.answer = GIVEN.formatted("4711", Long.MAX_VALUE);

    long beforeMillis = System.currentTimeMillis();
    assertThat(run("n1", "--bytes", "1Gi", "--owner", "4711", "--in", "30s", "--for", "5m"))
        .as(commands.err())
        .isZero();

    assertThat(controller.requests).containsExactly("POST /api/v1/hints");
    JsonNode sent = new ObjectMapper().readTree(controller.body);
    assertThat(sent.get("node").asText()).isEqualTo("n1");
    assertThat(sent.get("owner").asText()).isEqualTo("4711");
    assertThat(sent.get("bytes").asLong()).isEqualTo(1L << 30);
    assertThat(sent.get("startMillis").asLong()).isGreaterThanOrEqualTo(beforeMillis + 30_000);
    assertThat(sent.get("expiresMillis").asLong() - sent.get("startMillis").asLong())
        .isEqualTo(300_000);
    assertThat(commands.out()).contains("NODE", "n1", "4711", "1.0 GiB", "now");
  }

  @Test
  void leavesTheTimesToTheAdapterIfNoneAreGiven() throws Exception {
    controller.answer = GIVEN.formatted("cli", 2);

    assertThat(run("n1", "--bytes", "1Gi")).isZero();

    assertThat(controller.body)
        .isEqualTo("{\"node\":\"n1\",\"owner\":\"cli\",\"bytes\":1073741824}");
  }

  @Test
  void listsAndWithdrawsThoseThatAreAskedFor() {
    controller.answer =
        "{\"hints\":[%s,%s]}".formatted(GIVEN.formatted("a", 9), GIVEN.formatted("b", 9));

    assertThat(run()).isZero();
    assertThat(commands.out().lines()).hasSize(3);
    commands.resetOut();
    assertThat(run("n2")).isZero();
    assertThat(commands.out()).isEqualTo("No hints.\n");
    controller.requests.clear();

    assertThat(run("--clear")).isZero();
    assertThat(controller.requests)
        .containsExactly(
            "GET /api/v1/hints", "DELETE /api/v1/hints/n1/a", "DELETE /api/v1/hints/n1/b");
    controller.requests.clear();
    assertThat(run("n1", "--owner", "c", "--clear")).isZero();
    assertThat(controller.requests).containsExactly("DELETE /api/v1/hints/n1/c");
  }

  @ParameterizedTest
  @CsvSource({
    "n1 --bytes much, much",
    "n1 --bytes 0, bytes",
    "n1 --bytes 1 --owner a/b, owner",
    "n1 --bytes 1 --for soon, soon",
    "--bytes 1, NODE",
    "n1 --for 5m, --bytes",
    "n1 --bytes 1 --clear, --clear"
  })
  void refusesWrongArguments(String line, String message) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(commands.err()).contains(message);
    assertThat(controller.requests).isEmpty();
  }

  @Test
  void tellsWhyAHintIsRefused() {
    controller.status = 404;
    controller.answer = "{\"detail\": \"node 'n9' is in no policy\", \"field\": \"node\"}";

    assertThat(run("n9", "--bytes", "1")).isEqualTo(2);
    assertThat(commands.err()).contains("node 'n9' is in no policy");
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("hint"));
    all.addAll(Arrays.asList(args));
    all.add("--url=" + controller.url());
    return commands.run(all);
  }
}
