package io.dynims.controller;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.core.config.Config;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.testing.KafkaBroker;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierServer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerIT {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  private final InMemoryTierStore store = new InMemoryTierStore("memory", 0, 1_000);
  private KafkaBroker broker;
  private TierServer adapter;
  private Vertx vertx;
  private Controller controller;
  private KafkaProducer<String, byte[]> producer;
  private volatile long aheadMillis;

  @BeforeEach
  void start() throws Exception {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(40));
    broker = KafkaBroker.start();
    adapter =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            store,
            OptionalLong.empty());
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", (Object) broker.bootstrapServers(), "linger.ms", 0),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  @AfterEach
  void stop() throws Exception {
    stopController();
    producer.close(Duration.ZERO);
    adapter.close();
    broker.close();
    Awaitility.reset();
  }

  @Test
  void aTargetInKafkaComesIntoForceAndIsAcknowledgedInKafka() throws Exception {
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    startController();
    try (var acks = consumer(Topics.ACKS)) {
      assertThat(awaitAck(acks, 1_000).sampledMillis()).isZero();

      Target target = target("n1", 400);
      send(target);

      Ack ack = awaitAck(acks, 400);
      assertThat(ack.status()).isEqualTo(AckStatus.Applied);
      assertThat(ack.sampledMillis()).isEqualTo(target.sampledMillis());
      assertThat(store.status().capacityBytes()).isEqualTo(400);
    }
    assertThat(tier("n1").get("state").asText()).isEqualTo("Enforcing");
  }

  @Test
  void aMessageThatIsNoTargetStopsNothing() throws Exception {
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    startController();
    producer.send(new ProducerRecord<>(Topics.TARGETS, "n1/memory", new byte[] {'{'})).get();
    producer.send(new ProducerRecord<>(Topics.TARGETS, "n1/memory", null)).get();
    send(target("n1", -1));
    send(target("nobody", 5));
    send(target("n1", 300));

    await().until(() -> store.status().capacityBytes() == 300);
    assertThat(get("/metrics").body())
        .contains("dynims_targets_malformed_total 3.0", "dynims_targets_unclaimed_total 1.0");
  }

  @Test
  void missingTopicsAreCreatedAndThePolicyTopicIsCompacted() throws Exception {
    broker.createTopic(Topics.TARGETS, 3, Map.of());
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    startController();

    try (Admin admin = broker.admin()) {
      var names = List.of(Topics.METRICS, Topics.POLICIES, Topics.TARGETS, Topics.ACKS);
      var topics = admin.describeTopics(names).allTopicNames().get();
      assertThat(topics.get(Topics.TARGETS).partitions()).hasSize(3);
      assertThat(topics.get(Topics.METRICS).partitions()).hasSize(2);
      var policies = new ConfigResource(ConfigResource.Type.TOPIC, Topics.POLICIES);
      assertThat(
              admin
                  .describeConfigs(List.of(policies))
                  .all()
                  .get()
                  .get(policies)
                  .get("cleanup.policy")
                  .value())
          .isEqualTo("compact");
    }
  }

  @Test
  void policiesArePublishedAndWithdrawnAlsoOverARestart() throws Exception {
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    write("b.yaml", document("n2", adapter.uri(), "Recommend", "1000"));
    write("c.yaml", document("n3", adapter.uri(), "Recommend", "1000"));
    startController();
    await().until(() -> policies().keySet().containsAll(List.of("n1/memory", "n2/memory")));

    Files.delete(folder.resolve("b.yaml"));
    await().until(() -> !policies().containsKey("n2/memory"));

    stopController();
    Files.delete(folder.resolve("c.yaml"));
    write("a.yaml", document("n1", adapter.uri(), "Off", "800"));
    startController();

    await().until(() -> policies().keySet().equals(java.util.Set.of("n1/memory")));
    assertThat(JSON.readTree(policies().get("n1/memory")).get("maxBytes").asLong()).isEqualTo(800);
  }

  @Test
  void aBadDocumentIsRefusedAndItsLastGoodVersionStaysInForce() throws Exception {
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    startController();
    await().until(() -> policies().containsKey("n1/memory"));

    write("a.yaml", document("n1", adapter.uri(), "Enforce", "many"));
    await().until(() -> JSON.readTree(get("/api/v1/policies").body()).get("errors").size() == 1);

    JsonNode policies = JSON.readTree(get("/api/v1/policies").body());
    assertThat(policies.get("errors").get(0).get("field").asText()).isEqualTo("spec.capacity.max");
    assertThat(policies.get("policies").get(0).get("maxBytes").asLong()).isEqualTo(1_000);
    assertThat(get("/metrics").body()).contains("dynims_policies_refused 1.0");
    send(target("n1", 200));
    await().until(() -> store.status().capacityBytes() == 200);
    assertThat(policies()).containsOnlyKeys("n1/memory");
  }

  @Test
  void aBrokerThatGoesAndComesBackIsLivedThrough() throws Exception {
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    startController();
    broker.stop();
    await().until(() -> get("/readyz").statusCode() == 503);
    assertThat(get("/readyz").body()).contains("Kafka: ");
    await().until(() -> !get("/metrics").body().contains("dynims_acks_dropped_total 0.0"));
    assertThat(tier("n1").get("capacityBytes").asLong()).isEqualTo(1_000);
    write("b.yaml", document("n2", adapter.uri(), "Recommend", "1000"));

    broker.restart();
    await().until(() -> get("/readyz").statusCode() == 200);
    await().until(() -> policies().containsKey("n2/memory"));
    try (var acks = consumer(Topics.ACKS)) {
      await()
          .until(
              () -> {
                send(target("n1", 500));
                return store.status().capacityBytes() == 500;
              });
      awaitAck(acks, 500);
    }
  }

  @Test
  void theHistoryOfATierOutlivesTheControllerAndTheTopicOfTargets() throws Exception {
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    startController();
    send(target("n1", 390));
    await().until(() -> history("1h").equals(List.of(390L)));
    aheadMillis = 60_000;
    await().until(() -> kept().equals(List.of(390L)));
    send(target("n1", 420));
    await().until(() -> history("1h").equals(List.of(420L, 390L)));
    assertThat(get("/metrics").body())
        .contains("dynims_kafka_lag_records ", "dynims_history_dropped_total 0.0");

    stopController();
    send(target("n1", 430));
    startController();
    await().until(() -> history("1h").equals(List.of(430L, 420L, 390L)));
    assertThat(tier("n1").has("lastDecision")).isFalse();

    stopController();
    emptyTargets();
    startController();
    await().until(() -> history("1h").contains(390L));
    assertThat(history("1s")).isEmpty();
  }

  @Test
  void whatWasDecidedWhileNoControllerRanIsKeptOnceOneRuns() throws Exception {
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    startController();
    stopController();
    send(target("n1", 300, System.currentTimeMillis() - 300_000, Limit.None));

    startController();
    await().until(() -> kept().equals(List.of(300L)));
    assertThat(history("1h")).isEqualTo(List.of(300L));
  }

  @Test
  void withoutKafkaTheApiIsUpAndSaysSoAndItStartsOnceKafkaIsThere() throws Exception {
    write("a.yaml", document("n1", adapter.uri(), "Enforce", "1000"));
    broker.stop();
    deploy();

    await().until(() -> get("/readyz").body().contains("Kafka: "));
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    broker.restart();

    await().until(() -> get("/readyz").statusCode() == 200);
    assertThat(policies()).containsOnlyKeys("n1/memory");
  }

  private void startController() throws Exception {
    deploy();
    await().until(() -> get("/readyz").statusCode() == 200);
  }

  private void deploy() throws Exception {
    String[] args = {
      "--http.address=127.0.0.1:0",
      "--kafka.bootstrap.servers=" + broker.bootstrapServers(),
      "--kafka.topics.partitions=2",
      "--policies.path=" + folder,
      "--policies.poll=100ms"
    };
    String documented = Config.resource(ControllerMain.class, "controller.properties");
    var settings = ControllerSettings.read(Config.read(documented, args, Map.of()));
    vertx = ControllerMain.vertx();
    controller = new Controller(settings, new AheadClock());
    vertx.deployVerticle(controller).toCompletionStage().toCompletableFuture().get();
  }

  /** The system's clock, or one that is ahead of it. */
  private final class AheadClock extends Clock {

    @Override
    public Instant instant() {
      return Instant.now().plusMillis(aheadMillis);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  private void stopController() throws Exception {
    if (vertx != null) {
      vertx.close().toCompletionStage().toCompletableFuture().get();
      vertx = null;
    }
  }

  private void send(Target target) throws Exception {
    String key = target.key().toString();
    producer.send(new ProducerRecord<>(Topics.TARGETS, key, WireCodec.TARGET.encode(target))).get();
  }

  /** The capacities of the decisions that the API has of a time, newest first. */
  private List<Long> history(String last) throws Exception {
    List<Long> capacities = new ArrayList<>();
    JSON.readTree(get("/api/v1/tiers/n1/history?last=" + last).body())
        .get("decisions")
        .forEach(decision -> capacities.add(decision.get("desiredBytes").asLong()));
    return capacities;
  }

  /** The capacities of the decisions that are in the topic of history. */
  private List<Long> kept() throws Exception {
    List<Long> capacities = new ArrayList<>();
    try (var consumer = consumer(Topics.HISTORY)) {
      readToEnd(
          consumer, each -> capacities.add(WireCodec.TARGET.decode(each.value()).desiredBytes()));
    }
    return capacities;
  }

  /** As if all targets were older than what the topic keeps. */
  private void emptyTargets() throws Exception {
    try (Admin admin = broker.admin();
        var consumer = consumer(Topics.TARGETS)) {
      var ends = new HashMap<TopicPartition, RecordsToDelete>();
      consumer
          .endOffsets(consumer.assignment())
          .forEach((partition, end) -> ends.put(partition, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(ends).all().get();
    }
  }

  private Ack awaitAck(KafkaConsumer<String, byte[]> acks, long desiredBytes) {
    List<Ack> seen = new ArrayList<>();
    return await()
        .until(
            () -> {
              for (var record : acks.poll(Duration.ofMillis(100))) {
                seen.add(decode(record.value()));
              }
              return seen.stream()
                  .filter(ack -> ack.desiredBytes() == desiredBytes)
                  .findFirst()
                  .orElse(null);
            },
            ack -> ack != null);
  }

  private static Ack decode(byte[] json) {
    try {
      return WireCodec.ACK.decode(json);
    } catch (WireException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, byte[]> policies() throws Exception {
    Map<String, byte[]> policies = new HashMap<>();
    try (var consumer = consumer(Topics.POLICIES)) {
      readToEnd(consumer, record -> policies.put(record.key(), record.value()));
    }
    policies.values().removeIf(value -> value == null);
    return policies;
  }

  @FunctionalInterface
  private interface Reader {
    void read(ConsumerRecord<String, byte[]> each) throws WireException;
  }

  private static void readToEnd(KafkaConsumer<String, byte[]> consumer, Reader reader)
      throws WireException {
    var ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      for (var each : consumer.poll(Duration.ofMillis(100))) {
        reader.read(each);
      }
    }
  }

  private KafkaConsumer<String, byte[]> consumer(String topic) {
    var consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                (Object) broker.bootstrapServers(),
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList());
    return consumer;
  }

  private JsonNode tier(String node) throws Exception {
    return JSON.readTree(get("/api/v1/tiers/" + node).body());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + controller.httpPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
