package io.dynims.controller;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.controller.api.RestServer;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.runtime.config.Config;
import io.dynims.testing.KafkaBroker;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierAccess;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A Kafka broker, one tier of 1,000 bytes, and a controller that can be started again. */
final class ControllerFixture implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();

  final InMemoryTierStore store = new InMemoryTierStore("memory", 0, 1_000);
  final KafkaBroker broker;
  final TierServer adapter;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private final KafkaProducer<String, byte[]> producer;
  private Vertx vertx;
  private Controller controller;
  private volatile long aheadMillis;

  /** Starts the tier beside a broker that nobody stops; policy files are in the folder. */
  ControllerFixture(Path folder) throws Exception {
    this(folder, KafkaBroker.shared());
  }

  /** Starts the tier beside a broker, which is closed with it. */
  ControllerFixture(Path folder, KafkaBroker broker) throws Exception {
    this.folder = folder;
    this.broker = broker;
    adapter =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            store,
            GuardSettings.none(),
            TierAccess.anyone());
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", (Object) broker.bootstrapServers(), "linger.ms", 0),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  /** Starts the controller and waits until it is ready. */
  void startController(String... more) throws Exception {
    deploy(more);
    await().until(() -> get("/readyz").statusCode() == 200);
  }

  /** Starts the controller. */
  void deploy(String... more) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--http.address=127.0.0.1:0",
                "--kafka.bootstrap.servers=" + broker.bootstrapServers(),
                "--kafka.topics.partitions=2",
                "--policies.path=" + folder,
                "--policies.poll=100ms"));
    args.addAll(List.of(more));
    String documented = Config.resource(ControllerMain.class, "controller.properties");
    var settings =
        ControllerSettings.read(Config.read(documented, args.toArray(String[]::new), Map.of()));
    vertx = ControllerMain.vertx();
    controller = new Controller(settings, new AheadClock());
    vertx.deployVerticle(controller).toCompletionStage().toCompletableFuture().get();
  }

  void stopController() throws Exception {
    if (vertx != null) {
      vertx.close().toCompletionStage().toCompletableFuture().get();
      vertx = null;
    }
  }

  /** Moves the controller's clock ahead of the system's. */
  void setClockAhead(long millis) {
    aheadMillis = millis;
  }

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

  void writePolicies(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }

  void deletePolicies(String file) throws IOException {
    Files.delete(folder.resolve(file));
  }

  void send(Target target) throws Exception {
    send(Topics.TARGETS, target.key().toString(), WireCodec.TARGET.encode(target));
  }

  void send(String topic, String key, byte[] value) throws Exception {
    producer.send(new ProducerRecord<>(topic, key, value)).get();
  }

  /** A consumer of all partitions of a topic, from its beginning. */
  KafkaConsumer<String, byte[]> consumer(String topic) {
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

  /** Waits for an ack of this desired capacity. */
  Ack awaitAck(KafkaConsumer<String, byte[]> acks, long desiredBytes) {
    List<Ack> seen = new ArrayList<>();
    return await()
        .until(
            () -> {
              for (var each : acks.poll(Duration.ofMillis(100))) {
                seen.add(WireCodec.ACK.decode(each.value()));
              }
              return seen.stream()
                  .filter(ack -> ack.desiredBytes() == desiredBytes)
                  .findFirst()
                  .orElse(null);
            },
            ack -> ack != null);
  }

  /** The policies in Kafka by key. */
  Map<String, byte[]> publishedPolicies() throws Exception {
    Map<String, byte[]> policies = new HashMap<>();
    try (var consumer = consumer(Topics.POLICIES)) {
      readToEnd(consumer, each -> policies.put(each.key(), each.value()));
    }
    policies.values().removeIf(value -> value == null);
    return policies;
  }

  /** The capacities of the decisions in the history topic. */
  List<Long> publishedHistory() throws Exception {
    List<Long> capacities = new ArrayList<>();
    try (var consumer = consumer(Topics.HISTORY)) {
      readToEnd(
          consumer, each -> capacities.add(WireCodec.TARGET.decode(each.value()).desiredBytes()));
    }
    return capacities;
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

  RestServer rest() {
    return controller.rest();
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + rest().port() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  JsonNode json(String path) throws Exception {
    return JSON.readTree(get(path).body());
  }

  @Override
  public void close() throws Exception {
    stopController();
    producer.close(Duration.ZERO);
    adapter.close();
    broker.close();
  }
}
