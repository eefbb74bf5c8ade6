package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintCommandTest {

  private static final String GIVEN =
      "{\"node\":\"n1\",\"owner\":\"%s\",\"bytes\":1073741824,\"startMillis\":1,\"expiresMillis\":%d}";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<String> requests = new ArrayList<>();
  private HttpServer controller;
  private int status = 200;
  private String answer = "";
  private String body;

  @BeforeEach
  void startController() throws Exception {
    controller = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    controller.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          byte[] bytes = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    controller.start();
  }

  @AfterEach
  void stopController() {
    controller.stop(0);
  }

  @Test
  void givesAHint() throws Exception {
    answer = GIVEN.formatted("4711", Long.MAX_VALUE);

    long beforeMillis = System.currentTimeMillis();
    assertThat(run("n1", "--bytes", "1Gi", "--owner", "4711", "--in", "30s", "--for", "5m"))
        .as(err.toString(UTF_8))
        .isZero();

    assertThat(requests).containsExactly("POST /api/v1/hints");
    JsonNode sent = new ObjectMapper().readTree(body);
    assertThat(sent.get("node").asText()).isEqualTo("n1");
    assertThat(sent.get("owner").asText()).isEqualTo("4711");
    assertThat(sent.get("bytes").asLong()).isEqualTo(1L << 30);
    assertThat(sent.get("startMillis").asLong()).isGreaterThanOrEqualTo(beforeMillis + 30_000);
    assertThat(sent.get("expiresMillis").asLong() - sent.get("startMillis").asLong())
        .isEqualTo(300_000);
    assertThat(out.toString(UTF_8)).contains("NODE", "n1", "4711", "1.0 GiB", "now");
  }

  @Test
  void leavesTheTimesToTheAdapterIfNoneAreGiven() throws Exception {
    answer = GIVEN.formatted("cli", 2);

    assertThat(run("n1", "--bytes", "1Gi")).isZero();

    assertThat(body).isEqualTo("{\"node\":\"n1\",\"owner\":\"cli\",\"bytes\":1073741824}");
  }

  @Test
  void listsAndWithdrawsThoseThatAreAskedFor() {
    answer = "{\"hints\":[%s,%s]}".formatted(GIVEN.formatted("a", 9), GIVEN.formatted("b", 9));

    assertThat(run()).isZero();
    assertThat(out.toString(UTF_8).lines()).hasSize(3);
    out.reset();
    assertThat(run("n2")).isZero();
    assertThat(out.toString(UTF_8)).isEqualTo("No hints.\n");
    requests.clear();

    assertThat(run("--clear")).isZero();
    assertThat(requests)
        .containsExactly(
            "GET /api/v1/hints", "DELETE /api/v1/hints/n1/a", "DELETE /api/v1/hints/n1/b");
    requests.clear();
    assertThat(run("n1", "--owner", "c", "--clear")).isZero();
    assertThat(requests).containsExactly("DELETE /api/v1/hints/n1/c");
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
    assertThat(err.toString(UTF_8)).contains(message);
    assertThat(requests).isEmpty();
  }

  @Test
  void tellsWhyAHintIsRefused() {
    status = 404;
    answer = "{\"detail\": \"node 'n9' is in no policy\", \"field\": \"node\"}";

    assertThat(run("n9", "--bytes", "1")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("node 'n9' is in no policy");
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("hint"));
    all.addAll(Arrays.asList(args));
    all.add("--url=http://127.0.0.1:" + controller.getAddress().getPort());
    var context =
        new CliContext(
            Path.of(".."),
            Map.of(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    return Dynims.run(context, List.of(), all.toArray(String[]::new));
  }
}
