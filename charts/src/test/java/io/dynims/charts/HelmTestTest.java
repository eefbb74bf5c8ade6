package io.dynims.charts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pod of {@code helm test} runs, against a server that answers as a controller does. */
class HelmTestTest {

  private static final String TIERS = "/api/v1/tiers";
  private static final String HINTS = "/api/v1/hints";

  @TempDir Path scratch;

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void startServer() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    answer("/readyz", 200, "{\"status\":\"ready\"}");
    answer("/api/v1/policies", 200, "{\"policies\":[],\"errors\":[],\"warnings\":[]}");
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  @Test
  void passesWhereTheTiersAnswer() throws Exception {
    answer(TIERS, 200, tiers("Enforcing", "Pending"));

    Outcome outcome = test(new Chart());

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output().lines())
        .containsExactly(
            "ok       controller  " + address() + " is ready",
            "ok       policies    none is refused",
            "ok       tiers       2 answer: 1 Enforcing, 1 Pending");
  }

  @Test
  void passesBeforeThereIsATier() throws Exception {
    answer(TIERS, 200, tiers());

    Outcome outcome = test(new Chart());

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("warning  tiers       there is no tier yet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Unreachable", "Stale", "Guarded"})
  void failsWhereATierDoesNotAnswerOrIsNotDecidedFor(String state) throws Exception {
    answer(TIERS, 200, tiers("Enforcing", state));

    Outcome outcome = test(new Chart());

    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.output()).contains("error    tiers       node-1 alluxio " + state + ";");
  }

  @Test
  void failsOnAnErrorAndOnAnotherAnswer() throws Exception {
    answer(TIERS, 503, tiers());
    assertThat(test(new Chart()).exitCode()).isNotZero();

    answer(TIERS, 200, "hello");
    assertThat(test(new Chart()).exitCode()).isNotZero();
  }

  @Test
  void failsWhereAPolicyIsRefusedOrTheControllerIsNotReady() throws Exception {
    answer(TIERS, 200, tiers());
    answer("/api/v1/policies", 200, "{\"policies\":[],\"errors\":[{\"document\":\"a\"}]}");
    assertThat(test(new Chart()).exitCode()).isNotZero();

    answer("/api/v1/policies", 200, "{\"policies\":[],\"errors\":[]}");
    answer("/readyz", 503, "{\"detail\":\"no Lease\"}");
    assertThat(test(new Chart()).output()).contains("error    controller  503: ", "no Lease");
  }

  /** As after an upgrade: another controller becomes the leader. */
  @Test
  void waitsForAControllerThatIsReadyALittleLater() throws Exception {
    answer(TIERS, 200, tiers("Enforcing"));
    answer(
        "/readyz",
        () -> requests.size() > 3 ? 200 : 503,
        () -> "{\"detail\":\"policies: not published yet\"}");

    Outcome outcome = test(new Chart(), 5);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("is ready").doesNotContain("error");
  }

  @Test
  void failsWhereNothingListens() throws Exception {
    server.stop(0);

    assertThat(test(new Chart()).exitCode()).isNotZero();
  }

  @Test
  void changesNothingUnlessToldTo() throws Exception {
    answer(TIERS, 200, tiers("Enforcing"));
    answer(HINTS, 200, "{}");

    test(new Chart());

    assertThat(requests).isNotEmpty().allMatch(request -> request.startsWith("GET "));
  }

  @Test
  void givesAHintIfToldToAndTakesItBack() throws Exception {
    answer(TIERS, 200, tiers("Enforcing"));
    answer(TIERS + "/node-0", 200, "{\"lastDecision\":{\"hintedBytes\":67108864}}");
    answer(HINTS, 200, "{}");

    Outcome outcome =
        test(new Chart().set("tests.resize", true).set("controller.tokenSecret", "t"));

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("ok       resize      a job's hint of 67108864 bytes");
    assertThat(requests)
        .contains(
            "GET /api/v1/tiers Bearer rest-token",
            "POST /api/v1/hints Bearer rest-token"
                + " {\"node\":\"node-0\",\"owner\":\"helm-test\",\"bytes\":67108864}",
            "GET /api/v1/tiers/node-0?tier=alluxio Bearer rest-token")
        .last()
        .isEqualTo("DELETE /api/v1/hints/node-0/helm-test Bearer rest-token");
  }

  /** What other jobs take just then counts as what was announced. */
  @Test
  void givesAHintAgainThatIsUsedUpAtOnce() throws Exception {
    answer(TIERS, 200, tiers("Enforcing"));
    answer(HINTS, 200, "{}");
    answer(
        TIERS + "/node-0",
        200,
        () -> "{\"lastDecision\":{\"hintedBytes\":%d}}".formatted(hints() > 1 ? 67108864 : 0));

    Outcome outcome =
        test(new Chart().set("tests.resize", true).set("controller.tokenSecret", "t"));

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(hints()).isEqualTo(2);
  }

  private long hints() {
    return requests.stream().filter(each -> each.startsWith("POST " + HINTS)).count();
  }

  @Test
  void aHintNeedsAToken() {
    assertThatThrownBy(() -> pod(new Chart().set("tests.resize", true)))
        .hasMessageContaining("tests.resize: gives a hint, which needs a token");
  }

  /** A tier on a node of its own for each state, as the controller tells them. */
  private static String tiers(String... states) {
    StringBuilder tiers = new StringBuilder();
    for (int i = 0; i < states.length; i++) {
      tiers
          .append(i == 0 ? "" : ",")
          .append("{\"node\":\"node-" + i + "\",\"tier\":\"alluxio\",\"mode\":\"Enforce\",")
          .append("\"paused\":false,\"law\":\"Forecast\",\"state\":\"" + states[i] + "\",")
          .append("\"lastDecision\":{\"node\":\"node-" + i + "\",\"tier\":\"alluxio\"}}");
    }
    return "{\"tiers\":[" + tiers + "]}";
  }

  private void answer(String path, int status, String body) {
    answer(path, status, () -> body);
  }

  private void answer(String path, int status, Supplier<String> answer) {
    answer(path, () -> status, answer);
  }

  private void answer(String path, IntSupplier status, Supplier<String> answer) {
    try {
      server.removeContext(path);
    } catch (IllegalArgumentException e) {
      // It is the first answer.
    }
    server.createContext(
        path,
        exchange -> {
          String authorization = exchange.getRequestHeaders().getFirst("Authorization");
          String sent = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          requests.add(
              (exchange.getRequestMethod()
                      + " "
                      + exchange.getRequestURI()
                      + (authorization == null ? "" : " " + authorization)
                      + " "
                      + sent)
                  .strip());
          String body = answer.get();
          exchange.sendResponseHeaders(status.getAsInt(), body.length());
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body.getBytes(UTF_8));
          }
        });
  }

  private String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private record Outcome(int exitCode, String output) {}

  private JsonNode pod(Chart chart) throws Exception {
    return chart
        .renderWithTest(Files.createTempDirectory(scratch, "chart"))
        .one("Pod", "-test-tiers");
  }

  /** Runs what the pod runs, with files of tokens in the places of its Secrets. */
  private Outcome test(Chart chart) throws Exception {
    return test(chart, 0);
  }

  private Outcome test(Chart chart, int waitSeconds) throws Exception {
    JsonNode container = Manifests.container(pod(chart), "tiers");
    assertThat(Manifests.env(container, "CONTROLLER")).isEqualTo("dynims-controller.memory:8080");
    ProcessBuilder builder =
        new ProcessBuilder(Manifests.texts(container.path("command"))).redirectErrorStream(true);
    builder.environment().put("CONTROLLER", address());
    builder.environment().put("TOKEN_FILE", tokenFile(container, "TOKEN_FILE", "rest-token"));
    builder.environment().put("WAIT_SECONDS", "" + waitSeconds);
    builder.environment().put("RESIZE", Manifests.env(container, "RESIZE"));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Outcome(process.waitFor(), output);
  }

  private String tokenFile(JsonNode container, String variable, String token) throws IOException {
    return Manifests.env(container, variable).isEmpty()
        ? ""
        : Files.writeString(scratch.resolve(token), token + "\n").toString();
  }
}
