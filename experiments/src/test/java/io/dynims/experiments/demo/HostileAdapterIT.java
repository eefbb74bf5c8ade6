package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.dynims.cli.stack.StackHome;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.local.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole stack, and a second node whose adapter answers what no adapter should: the job runs on,
 * the first node is decided as before, and the second one's state names what was wrong.
 */
@Tag("long")
class HostileAdapterIT {

  private static final String NODE = "hostile";
  private static final long PATIENCE_MILLIS = 120_000;
  private static final long POLL_MILLIS = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String VALID =
      """
      {"node": "hostile", "tier": "hostile", "capacityBytes": 600000000, "minBytes": 0,
       "maxBytes": 1000000000, "usedBytes": 500000000, "residentBytes": 500000000,
       "reservedBytes": 0, "unevictableBytes": 0, "unpersistedBytes": 0, "storeVersion": "1",
       "nodeMemoryBytes": 4000000000, "hitRatio": 0.5}
      """;

  private static final List<String> AMOUNTS =
      List.of(
          "capacityBytes",
          "usedBytes",
          "residentBytes",
          "reservedBytes",
          "unevictableBytes",
          "unpersistedBytes",
          "nodeMemoryBytes");

  private static final List<String> REQUIRED =
      List.of(
          "capacityBytes",
          "minBytes",
          "maxBytes",
          "usedBytes",
          "reservedBytes",
          "unevictableBytes",
          "storeVersion");

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path folder;
  private BenchStack stack;
  private HttpServer adapter;
  private String flink;
  private volatile String answer = VALID;

  @BeforeEach
  void up() throws Exception {
    adapter = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    adapter.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] body = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    adapter.start();
    stack =
        new BenchStack(
            new StackHome(Path.of("..").toAbsolutePath().normalize(), folder),
            Map.of(),
            false,
            System.out);
    int port = FreePorts.forKeys(List.of("flink.port")).get("flink.port");
    flink = "http://127.0.0.1:" + port;
    stack.up(List.of("flink.port=" + port));
    Files.writeString(
        stack.home().policies().resolve("hostile.yaml"),
        """
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: hostile}
        spec:
          mode: Enforce
          store: {type: Custom}
          nodes: {list: [{name: hostile, adapter: "http://127.0.0.1:%d"}]}
          capacity: {max: 1G}
        """
            .formatted(adapter.getAddress().getPort()));
  }

  @AfterEach
  void down() throws Exception {
    if (stack != null) {
      stack.close();
    }
    adapter.stop(0);
  }

  @Test
  void malformedAnswersHarmNobodyElse() throws Exception {
    String node = stack.settings().nodeName();
    Map<String, Object> kafka = stack.clients().kafkaProperties();
    try (KafkaProducer<String, String> producer =
            new KafkaProducer<>(kafka, new StringSerializer(), new StringSerializer());
        LoopRecorder loop = new LoopRecorder(kafka, node)) {
      Thread samples = new Thread(() -> sample(producer), "samples");
      samples.setDaemon(true);
      samples.start();
      awaitState("Enforcing", "");
      await("decisions for " + node, () -> loop.lastTarget().isPresent());

      long fromMillis = System.currentTimeMillis();
      Map<String, String> malformed = malformed();
      assertThat(malformed).hasSizeGreaterThanOrEqualTo(40);
      for (Map.Entry<String, String> each : malformed.entrySet()) {
        answer = each.getValue();
        awaitState("Unreachable", each.getKey());
        send(producer, Topics.ACKS, ack(each.getValue()));
      }
      long toMillis = System.currentTimeMillis();
      answer = VALID;
      awaitState("Enforcing", "");

      List<Target> decided =
          loop.targets(fromMillis, toMillis).stream()
              .filter(t -> t.limitedBy() != Limit.Stale && t.limitedBy() != Limit.Unconfirmed)
              .toList();
      assertThat(decided).as("more than one for each answer").hasSizeGreaterThan(malformed.size());
      System.out.printf(
          "%d malformed answers in %d s; %s was decided %d times%n",
          malformed.size(), (toMillis - fromMillis) / 1_000, node, decided.size());
      assertThat(get(stack.settings().controllerUrl() + "/api/v1/tiers/" + node).path("state"))
          .hasToString("\"Enforcing\"");
      checkJob();
      samples.interrupt();
      samples.join();
    }
  }

  /** By what the state of the tier has to name: the bodies of answers. */
  private static Map<String, String> malformed() {
    Map<String, String> bodies = new LinkedHashMap<>();
    for (String field : AMOUNTS) {
      bodies.put(field + ": -1 is below 0", with(field, "-1"));
      bodies.put(field + ": 9007199254740993 is above", with(field, "9007199254740993"));
      bodies.put("TierStatus: " + field + ": Numeric value", with(field, "9223372036854775808"));
    }
    for (String field : REQUIRED) {
      bodies.put(field + ": Missing", VALID.replaceFirst("\"" + field + "\": [^,}]*,?", ""));
    }
    bodies.put("TierStatus: usedBytes: Cannot coerce String", with("usedBytes", "\"500000000\""));
    bodies.put("TierStatus: usedBytes: Cannot coerce Floating", with("usedBytes", "1.5"));
    bodies.put("TierStatus: unpersistedBytes: ", with("unpersistedBytes", "true"));
    bodies.put("hitRatio: 1.5 is not from 0 to 1", with("hitRatio", "1.5"));
    bodies.put("hitRatio: -0.5 is not from 0 to 1", with("hitRatio", "-0.5"));
    bodies.put("Non-standard token 'NaN'", with("hitRatio", "NaN"));
    bodies.put("minBytes: 2000000000 is above maxBytes", with("minBytes", "2000000000"));
    bodies.put("another-node", with("node", "\"another-node\""));
    bodies.put("the message is empty", "");
    bodies.put("the message is null", "null");
    bodies.put("not JSON", "capacityBytes=600000000");
    bodies.put("from Array value", "[]");
    return bodies;
  }

  private static String with(String field, String value) {
    return VALID.replaceFirst("\"" + field + "\": [^,}]*", "\"" + field + "\": " + value);
  }

  /** The same as an ack, past the controller. */
  private static String ack(String body) {
    String times =
        "{\"desiredBytes\":1,\"status\":\"Applied\",\"sampledMillis\":0,\"appliedMillis\":1,";
    return body.startsWith("{") ? times + body.substring(1) : body;
  }

  /** Ten times a second: the node's jobs hold more than it has room for. */
  private static void sample(KafkaProducer<String, String> producer) {
    try {
      while (true) {
        double seconds = System.currentTimeMillis() / 1e3;
        send(
            producer,
            Topics.METRICS,
            """
            [{"plugin":"dynims","type":"dynims_memory","host":"hostile","time":%.3f,
              "dsnames":["mem_total","mem_available"],"values":[4000000000,100000000]}]
            """
                .formatted(seconds));
        Thread.sleep(100);
      }
    } catch (InterruptedException | ExecutionException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(KafkaProducer<String, String> producer, String topic, String value)
      throws InterruptedException, ExecutionException {
    producer.send(new ProducerRecord<>(topic, NODE, value)).get();
  }

  private void awaitState(String state, String reason) throws Exception {
    String url = stack.settings().controllerUrl() + "/api/v1/tiers/" + NODE;
    await(
        state + ": " + reason,
        () -> {
          JsonNode tier = get(url);
          return tier.path("state").asText().equals(state)
              && tier.path("stateReason").asText().contains(reason);
        });
  }

  private void checkJob() throws Exception {
    JsonNode jobs = get(flink + "/jobs/overview").get("jobs");
    assertThat(jobs).hasSize(1);
    assertThat(jobs.get(0).get("state").asText()).isEqualTo("RUNNING");
    JsonNode job = get(flink + "/jobs/" + jobs.get(0).get("jid").asText());
    assertThat(job.at("/timestamps/RESTARTING")).as("never").hasToString("0");
  }

  private JsonNode get(String url) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    return JSON.readTree(response.body());
  }

  private void await(String what, Callable<Boolean> condition) throws Exception {
    long endMillis = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (!condition.call()) {
      assertThat(System.currentTimeMillis())
          .as("%s: %s", what, get(stack.settings().controllerUrl() + "/api/v1/tiers/" + NODE))
          .isLessThan(endMillis);
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }
}
