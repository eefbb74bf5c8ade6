package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.controller.OnEventLoop;
import io.dynims.controller.fleet.Fleet;
import io.dynims.core.config.Config;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class RestApiTest {

  private static final long NOW_MILLIS = 1_800_000_000_000L;
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(NOW_MILLIS), ZoneOffset.UTC);
  private static final URI ADAPTER = URI.create("http://127.0.0.1:7070");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Fleet fleet = new Fleet(new Fleet.HistoryBound(10, 1_000), CLOCK);
  private final ControllerMetrics metrics = new ControllerMetrics();
  private List<String> missing = List.of();
  private RestApi api;
  private int port;

  @BeforeEach
  void serve() {
    api = call(() -> new RestApi(vertx, fleet, metrics, Clock.systemUTC(), () -> missing, 10));
    port =
        vertx
            .createHttpServer()
            .requestHandler(api.router(vertx))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
  }

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void aTierHasAllItsFields() throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    run(() -> fleet.recordDecision(target("n1", 600, NOW_MILLIS - 40, Limit.Max)));
    run(() -> fleet.recordReply(fleet.tiers("n1").get(0), reply(AckStatus.Applied, 600), true));

    assertThat(get("/api/v1/tiers/n1"))
        .isEqualTo(
            JSON.readTree(
                """
                {"node":"n1","tier":"memory","mode":"Enforce","state":"Enforcing",
                 "desiredBytes":600,"capacityBytes":600,"usedBytes":50,"unevictableBytes":7,
                 "minBytes":0,"maxBytes":1000,"memoryUsedBytes":900,"memoryTotalBytes":1000,
                 "utilization":0.9,"threshold":0.95,"sampledMillis":1799999999960,"ageMillis":40,
                 "lastDecision":{"node":"n1","tier":"memory","desiredBytes":600,
                 "previousBytes":100,"tierUsedBytes":60,"memoryUsedBytes":900,"memoryTotalBytes":1000,
                 "utilization":0.9,"threshold":0.95,"gain":0.5,"stepBytes":-500,
                 "action":"Grow","reason":"for a test","limitedBy":"Max",
                 "sampledMillis":1799999999960,"acknowledgedMillis":1799999999890,
                 "decidedMillis":1799999999965}}
                """));
    assertThat(get("/api/v1/tiers").get("tiers")).hasSize(1);
  }

  @Test
  void whatIsNotKnownIsLeftOut() throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "10%"));

    JsonNode tier = get("/api/v1/tiers/n1");
    assertThat(tier.fieldNames())
        .toIterable()
        .containsExactly("node", "tier", "mode", "state", "stateReason", "minBytes", "threshold");
    assertThat(tier.get("state").asText()).isEqualTo("Pending");
    assertThat(tier.get("stateReason").asText()).contains("the adapter has not answered yet");
  }

  @ParameterizedTest
  @CsvSource({
    "Enforce, 10, None, Applied, Enforcing",
    "Enforce, 10, None, Partial, Partial",
    "Enforce, 10, None, Failed, Unreachable",
    "Enforce, 10, Stale, Applied, Stale",
    "Enforce, 2001, None, Applied, Stale",
    "Recommend, 10, None, Applied, Recommending",
    "'\"Off\"', 10, None, Applied, Off",
  })
  void theStateIsDerived(
      String mode, long ageMillis, Limit limit, AckStatus status, String expected)
      throws Exception {
    follow(document("n1", ADAPTER, mode, "1000"));
    run(() -> fleet.recordDecision(target("n1", 600, NOW_MILLIS - ageMillis, limit)));
    run(() -> fleet.recordReply(fleet.tiers("n1").get(0), reply(AckStatus.Applied, 1_000), true));
    run(() -> fleet.recordReply(fleet.tiers("n1").get(0), reply(status, 600), true));

    assertThat(get("/api/v1/tiers/n1").get("state").asText()).isEqualTo(expected);
  }

  @Test
  void aPercentageIsPublishedAtOnceAndShownInBytesWhenTheMemoryIsKnown() throws Exception {
    List<Integer> published = new ArrayList<>();
    fleet.onPolicies(() -> published.add(fleet.policies().size()));
    follow(document("n1", ADAPTER, "Enforce", "10%"));

    JsonNode policy = get("/api/v1/policies").get("policies").get(0);
    assertThat(policy.get("maxRatio").asDouble()).isEqualTo(0.1);
    assertThat(policy.has("maxBytes")).isFalse();
    assertThat(get("/api/v1/tiers/n1").has("maxBytes")).isFalse();

    run(() -> fleet.recordReply(fleet.tiers("n1").get(0), reply(AckStatus.Applied, 600), false));
    assertThat(get("/api/v1/tiers/n1").get("maxBytes").asLong()).isEqualTo(800);
    assertThat(published).containsExactly(1);
  }

  @Test
  void theHistoryIsBoundedAndNewestFirst() throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    for (long bytes = 1; bytes <= 30; bytes++) {
      long capacityBytes = bytes;
      run(() -> fleet.recordDecision(target("n1", capacityBytes, NOW_MILLIS, Limit.None)));
    }

    assertThat(get("/api/v1/tiers/n1/history").get("decisions")).hasSize(10);
    assertThat(get("/api/v1/tiers/n1/history?last=2").get("decisions"))
        .extracting(decision -> decision.get("desiredBytes").asLong())
        .containsExactly(30L, 29L);
  }

  @ParameterizedTest
  @CsvSource({"1h, 4", "90s, 3", "1.5m, 3", "60000ms, 2", "1s, 1", "500ms, 0", "3, 3"})
  void theHistoryOfATimeIsAllThatIsKnownOfIt(String last, int expected) throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    for (long seconds : List.of(300, 80, 10, 1)) {
      // Each is decided 5 ms after its sample.
      run(
          () ->
              fleet.recordDecision(
                  target("n1", seconds, NOW_MILLIS - seconds * 1_000 + 10, Limit.None)));
    }

    JsonNode decisions = get("/api/v1/tiers/n1/history?last=" + last).get("decisions");
    assertThat(decisions).hasSize(expected);
    if (expected > 0) {
      assertThat(decisions.get(0).get("desiredBytes").asLong()).isEqualTo(1);
    }
  }

  @Test
  void whatWasDecidedBeforeTheStartIsHistoryAndNothingElse() throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    List<Target> earlier =
        List.of(
            target("n1", 1, NOW_MILLIS - 300, Limit.None),
            target("n1", 2, NOW_MILLIS - 200, Limit.None),
            target("n1", 3, NOW_MILLIS - 100, Limit.None));
    run(() -> fleet.recordEarlier(earlier));
    assertThat(get("/api/v1/tiers/n1").has("lastDecision")).isFalse();

    run(() -> fleet.recordDecision(target("n1", 3, NOW_MILLIS - 100, Limit.None)));
    run(() -> fleet.recordDecision(target("n1", 4, NOW_MILLIS, Limit.None)));
    assertThat(get("/api/v1/tiers/n1/history").get("decisions"))
        .extracting(decision -> decision.get("desiredBytes").asLong())
        .containsExactly(4L, 3L, 2L, 1L);
    assertThat(get("/api/v1/tiers/n1").at("/lastDecision/desiredBytes").asLong()).isEqualTo(4);
    for (int i = 0; i < 10; i++) {
      run(() -> fleet.recordDecision(target("n1", 5, NOW_MILLIS, Limit.None)));
    }
    assertThat(get("/api/v1/tiers/n1/history").get("decisions"))
        .hasSize(10)
        .allMatch(decision -> decision.get("desiredBytes").asLong() == 5);
  }

  @Test
  void policiesTellWhatIsInForceWhatWasRefusedAndWhatIsNotRight() throws Exception {
    follow(
        document("n1", ADAPTER, "Enforce", "9000"), document("n2", ADAPTER, "Sometimes", "1000"));
    run(() -> fleet.recordReply(fleet.tiers("n1").get(0), reply(AckStatus.Applied, 600), false));

    JsonNode policies = get("/api/v1/policies");
    assertThat(policies.get("policies")).hasSize(1);
    assertThat(policies.get("errors"))
        .isEqualTo(
            JSON.readTree(
                """
                [{"file":"1.yaml","document":"1 (memory)","field":"spec.mode",
                  "reason":"'Sometimes' is not one of Enforce, Recommend, Off"}]
                """));
    assertThat(policies.get("warnings").get(0).get("reason").asText()).contains("9000", "8000");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/tiers/n9, 404, node, 'node ''n9'' is in no policy; GET /api/v1/tiers lists all nodes'",
    "/api/v1/tiers/n9/history, 404, node, 'node ''n9'' is in no policy'",
    "/api/v1/tiers/n1?tier=x, 404, tier, 'no tier ''x'', only [memory]'",
    "/api/v1/tiers/n1/history?last=0, 400, last, '''0'' is neither a whole number from 1 to 10 nor a time from 1ms to 1h'",
    "/api/v1/tiers/n1/history?last=11, 400, last, '''11'' is neither a whole number from 1 to 10 nor a time from 1ms to 1h'",
    "/api/v1/tiers/n1/history?last=x, 400, last, '''x'' is neither a whole number'",
    "/api/v1/tiers/n1/history?last=61m, 400, last, '''61m'' is neither'",
    "/api/v1/tiers/n1/history?last=0s, 400, last, '''0s'' is neither'",
    "/api/v1/tiers/n1/history?last=, 400, last, ''''' is neither'",
    "/api/v1/tiers/n1/history?last=-5m, 400, last, nor a time from 1ms to 1h",
    "/api/v1/tiers/n1/history?last=1&last=2, 400, last, given more than once",
    "/api/v1/tiers?node=n1, 400, node, this path has no parameters",
    "/readyz?verbose=1, 400, verbose, this path has no parameters",
    "/api/v2/tiers, 404, , '/api/v2/tiers does not exist; see /openapi.yaml'",
    "/%2e%2e/etc/passwd, 404, , does not exist",
  })
  void whatIsWrongIsNamed(String path, int status, String field, String detail) throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    HttpResponse<String> response = send("GET", path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    JsonNode problem = JSON.readTree(response.body());
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.path("field").asText(null)).isEqualTo(field);
    assertThat(problem.get("detail").asText()).contains(detail);
  }

  @Test
  void aNodeOfSeveralTiersMustBeToldWhichOne() throws Exception {
    follow(
        document("n1", ADAPTER, "Enforce", "1000"),
        document("n1", ADAPTER, "Enforce", "2000").replace("{name: memory}", "{name: other}"));

    assertThat(send("GET", "/api/v1/tiers/n1").statusCode()).isEqualTo(400);
    assertThat(get("/api/v1/tiers/n1?tier=other").get("maxBytes").asLong()).isEqualTo(2_000);
  }

  @Test
  void otherMethodsAreNotAllowedOnAnyPath() throws Exception {
    for (String path : api.paths()) {
      HttpResponse<String> response = send("POST", path.replace(":node", "n1"));

      assertThat(response.statusCode()).as(path).isEqualTo(405);
      assertThat(response.headers().firstValue("Allow")).contains("GET");
      assertThat(JSON.readTree(response.body()).get("detail").asText()).contains("POST");
    }
  }

  @Test
  void readinessTellsWhatIsMissing() throws Exception {
    assertThat(get("/readyz").get("status").asText()).isEqualTo("ready");
    missing = List.of("Kafka: away", "policies: none");

    HttpResponse<String> response = send("GET", "/readyz");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(JSON.readTree(response.body()).get("detail").asText())
        .isEqualTo("Kafka: away; policies: none");
    assertThat(get("/healthz").get("status").asText()).isEqualTo("up");
  }

  @Test
  void theStreamBeginsWithASnapshotAndTellsWhatChanges() throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    List<String> lines = stream("/api/v1/stream");
    await().until(() -> lines.contains("event: snapshot"));

    run(() -> fleet.recordDecision(target("n1", 600, NOW_MILLIS, Limit.None)));
    await().until(() -> lines.contains("event: tier"));
    await().until(() -> lines.stream().anyMatch(line -> line.contains("\"desiredBytes\":600")));
    follow();
    await().until(() -> lines.contains("event: withdrawn"));
    assertThat(lines).contains("data: {\"node\":\"n1\",\"tier\":\"memory\"}");
  }

  @Test
  void metricsAreOpenMetrics() throws Exception {
    metrics.countDecision(target("n1", 600));
    metrics.recordPush(AckStatus.Partial, 3_000_000);
    metrics.recordReaction(12);
    HttpResponse<String> response = send("GET", "/metrics");

    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/openmetrics-text");
    assertThat(response.body())
        .contains("dynims_pushes_total{status=\"Partial\"} 1.0")
        .contains("dynims_decisions_total{action=\"Grow\",limit=\"None\"} 1.0")
        .contains("dynims_push_seconds_bucket{le=\"0.005\"} 1")
        .contains("dynims_sample_to_in_force_seconds_bucket{le=\"0.02\"} 1")
        .endsWith("# EOF\n");
  }

  @Test
  void everyTierHasItsSeriesAsLongAsItIsThere() throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    run(() -> fleet.recordDecision(target("n1", 600)));

    assertThat(send("GET", "/metrics").body())
        .contains("dynims_tier_desired_bytes{node=\"n1\",tier=\"memory\"} 600.0")
        .contains("dynims_tier_memory_utilization_ratio{node=\"n1\",tier=\"memory\"} 0.9")
        .contains("dynims_tier_sample_age_seconds{node=\"n1\",tier=\"memory\"}")
        .contains("dynims_tiers_state{state=\"Stale\"}")
        .contains("dynims_tiers 1.0")
        .doesNotContain("dynims_tier_capacity_bytes{");
    follow();
    assertThat(send("GET", "/metrics").body()).doesNotContain("dynims_tier_desired_bytes{");
  }

  @Test
  void everySeriesIsDocumented() throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    run(() -> fleet.recordDecision(target("n1", 600)));
    run(() -> fleet.recordReply(fleet.tiers("n1").get(0), reply(AckStatus.Applied, 600), true));
    String documented = Files.readString(Path.of("../docs/metrics-and-alerts.md"));

    List<String> names =
        send("GET", "/metrics")
            .body()
            .lines()
            .filter(line -> line.startsWith("# TYPE dynims_"))
            .map(line -> line.split(" ", -1))
            .map(words -> words[2] + (words[3].equals("counter") ? "_total" : ""))
            .toList();
    assertThat(names)
        .contains("dynims_tier_capacity_bytes", "dynims_pushes_total")
        .allSatisfy(name -> assertThat(documented).contains("`" + name + "`"));
  }

  @Test
  void theStreamInRowsHasAllTiersFirstThenNumbersAlone() throws Exception {
    follow(document("n1", ADAPTER, "Enforce", "1000"));
    run(() -> fleet.recordDecision(target("n1", 600)));
    List<String> lines = stream("/api/v1/stream?view=rows");
    await().until(() -> lines.contains("event: snapshot"));
    assertThat(lines.get(1)).contains("\"tiers\":[{\"index\":0,\"tier\":{\"node\":\"n1\"");

    run(() -> fleet.recordDecision(target("n1", 500)));
    await().until(() -> lines.stream().anyMatch(line -> line.contains("\"rows\":[[0,500,null,")));

    follow(document("n1", ADAPTER, "Recommend", "1000"));
    await().until(() -> lines.contains("event: tier"));
    await().until(() -> lines.stream().anyMatch(line -> line.contains("\"mode\":\"Recommend\"")));
    follow();
    await().until(() -> lines.contains("event: withdrawn"));
    await().until(() -> lines.contains("data: {\"index\":0}"));
    assertThat(send("GET", "/api/v1/stream?view=columns").statusCode()).isEqualTo(400);
  }

  @Test
  void thePageMayOnlyRunItsOwnScript() throws Exception {
    HttpResponse<String> response = send("GET", "/");

    assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
        .doesNotContain("unsafe");
    assertThat(response.body()).contains("<title>DynIMS</title>").doesNotContain("://");
    Matcher files = Pattern.compile("(?:src|href)=\"(/page/[^\"]+)\"").matcher(response.body());
    assertThat(files.results().map(found -> found.group(1)))
        .contains("/page/dynims.js", "/page/chart.js")
        .allSatisfy(path -> assertThat(send("GET", path).statusCode()).isEqualTo(200));
    assertThat(send("GET", "/page/other.js").statusCode()).isEqualTo(404);
  }

  @Test
  void theOpenApiDocumentListsEveryPathThatIsServedAndNoOther() throws Exception {
    String yaml = Config.resource(RestApi.class, "openapi.yaml");
    Map<?, ?> document = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(yaml);
    Set<String> documented =
        ((Map<?, ?>) document.get("paths"))
            .keySet().stream().map(Object::toString).collect(Collectors.toSet());

    assertThat(api.paths().stream().map(path -> path.replaceAll(":(\\w+)", "{$1}")))
        .containsExactlyInAnyOrderElementsOf(documented);
    assertThat(send("GET", "/openapi.yaml").body()).isEqualTo(yaml);
  }

  @Test
  void theOpenApiDocumentKnowsEveryFieldOfATier() {
    Map<?, ?> document =
        (Map<?, ?>)
            new Load(LoadSettings.builder().build())
                .loadFromString(Config.resource(RestApi.class, "openapi.yaml"));
    Map<?, ?> schemas = (Map<?, ?>) ((Map<?, ?>) document.get("components")).get("schemas");

    for (Map.Entry<String, Class<? extends Record>> each :
        Map.of(
                "Tier", io.dynims.core.wire.TierView.class,
                "Decision", io.dynims.core.wire.Target.class,
                "Policy", io.dynims.core.wire.Policy.class,
                "PolicyError", io.dynims.policy.PolicyError.class,
                "Problem", io.dynims.tier.Problem.class)
            .entrySet()) {
      Map<?, ?> properties = (Map<?, ?>) ((Map<?, ?>) schemas.get(each.getKey())).get("properties");
      assertThat(properties.keySet().stream().map(Object::toString))
          .as(each.getKey())
          .containsExactlyInAnyOrderElementsOf(
              java.util.Arrays.stream(each.getValue().getRecordComponents())
                  .map(java.lang.reflect.RecordComponent::getName)
                  .toList());
    }
  }

  private static TierReply reply(AckStatus status, long capacityBytes) {
    return status == AckStatus.Failed
        ? TierReply.unreachable("gone")
        : new TierReply(
            status,
            new TierStatus("memory", capacityBytes, 0, 8_000, 50, 0, 7, "1", 8_000L, null, null),
            "");
  }

  private void follow(String... documents) {
    run(() -> fleet.applyPolicies(policies(documents)));
  }

  private void run(Runnable task) {
    call(
        () -> {
          task.run();
          return null;
        });
  }

  private <T> T call(Supplier<T> task) {
    return OnEventLoop.call(loop, task);
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> response = send("GET", path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(uri(path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** The lines of an endless answer, as they come. */
  private List<String> stream(String path) throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    HttpResponse<Stream<String>> response =
        http.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofLines());
    Thread reader = new Thread(() -> response.body().forEach(lines::add));
    reader.setDaemon(true);
    reader.start();
    return lines;
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
