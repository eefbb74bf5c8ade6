package io.dynims.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Topics;
import io.dynims.testing.CollectdAgent;
import io.dynims.testing.SecureBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What each role's credentials can do on a real broker that asks for them and enforces access
 * control lists.
 */
class KafkaRightsIT {

  private static final String CONTROLLER = "controller";
  private static final String AGENT = "agent";

  private static Path folder;
  private static SecureBroker broker;

  @BeforeAll
  static void start() throws Exception {
    RequiredCollectd.check();
    folder = Files.createTempDirectory("dynims-kafka-rights-");
    // collectd, which is not root, reads the authorities' certificates.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    broker = new SecureBroker(folder);
    try (Admin controller = Admin.create(broker.properties(CONTROLLER))) {
      for (String topic :
          List.of(Topics.METRICS, Topics.POLICIES, Topics.TARGETS, Topics.ACKS, Topics.HISTORY)) {
        controller.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        // There is something to read.
        write(Map.of("bootstrap.servers", broker.adminBootstrapServers()), topic);
      }
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (broker != null) {
      broker.close();
    }
    if (folder != null) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void collectdSendsItsSamplesWithTheAgentsCredentials() throws Exception {
    try (CollectdAgent agent =
            CollectdAgent.start(
                "node-secure",
                broker.bootstrapServers(),
                "--properties-file",
                broker.librdkafkaProperties().toString());
        KafkaConsumer<byte[], byte[]> samples = consumer("job", Topics.METRICS)) {
      StringBuilder all = new StringBuilder();
      await()
          .untilAsserted(
              () -> {
                samples
                    .poll(Duration.ofMillis(100))
                    .forEach(sample -> all.append(new String(sample.value(), UTF_8)));
                assertThat(all).as(agent.log()).contains("\"host\":\"node-secure\"");
              });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "agent, dynims.metrics",
    "controller, dynims.policies",
    "controller, dynims.acks",
    "controller, dynims.history",
    "job, dynims.targets"
  })
  void mayWrite(String role, String topic) {
    assertThatCode(() -> write(role, topic)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "agent, dynims.targets",
    "agent, dynims.policies",
    "agent, dynims.acks",
    "agent, dynims.history",
    "controller, dynims.targets",
    "controller, dynims.metrics",
    "job, dynims.policies",
    "job, dynims.metrics",
    "job, dynims.acks"
  })
  void mayNotWrite(String role, String topic) {
    assertThatThrownBy(() -> write(role, topic))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(AuthorizationException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "controller, dynims.policies",
    "controller, dynims.targets",
    "controller, dynims.history",
    "job, dynims.metrics",
    "job, dynims.policies",
    "job, dynims.acks"
  })
  void mayRead(String role, String topic) {
    assertThatCode(() -> read(role, topic)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "agent, dynims.policies",
    "agent, dynims.targets",
    "agent, dynims.acks",
    "agent, dynims.metrics",
    "job, dynims.targets",
    "controller, dynims.metrics"
  })
  void mayNotRead(String role, String topic) {
    assertThatThrownBy(() -> read(role, topic)).isInstanceOf(AuthorizationException.class);
  }

  @Test
  void anAgentCanNeitherMakeNorRemoveTopicsNorChangeTheLists() {
    try (Admin agent = Admin.create(broker.properties(AGENT))) {
      assertThatThrownBy(
              () ->
                  agent
                      .createTopics(List.of(new NewTopic("dynims.other", 1, (short) 1)))
                      .all()
                      .get())
          .hasCauseInstanceOf(AuthorizationException.class);
      assertThatThrownBy(() -> agent.deleteTopics(List.of(Topics.METRICS)).all().get())
          .hasCauseInstanceOf(AuthorizationException.class);
    }
  }

  @Test
  void withoutTheRightPasswordNobodyGetsIn() {
    Map<String, Object> wrong = broker.properties(AGENT);
    wrong.put(
        "sasl.jaas.config",
        wrong.get("sasl.jaas.config").toString().replace("password-of", "guess-of"));
    try (Admin stranger = Admin.create(wrong)) {
      assertThatThrownBy(() -> stranger.listTopics().names().get())
          .hasCauseInstanceOf(SaslAuthenticationException.class);
    }
  }

  @Test
  void theCommandsGrantWhatTheListsSay() throws Exception {
    Process commands = new ProcessBuilder("../dist/kafka/acl-commands", "broker:9093").start();
    String output = new String(commands.getInputStream().readAllBytes(), UTF_8);

    assertThat(commands.waitFor()).isZero();
    assertThat(output.lines())
        .contains(
            "kafka-acls.sh --bootstrap-server broker:9093 --add --allow-principal User:dynims-agent"
                + " --topic dynims.metrics --operation Write")
        .filteredOn(line -> line.contains("User:dynims-agent"))
        .hasSize(1);
  }

  private static void write(String role, String topic) throws Exception {
    write(broker.properties(role), topic);
  }

  private static void write(Map<String, Object> client, String topic) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic, "x".getBytes(UTF_8), new byte[] {1})).get();
    }
  }

  private static void read(String role, String topic) throws IOException {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(role, topic)) {
      consumer.position(new TopicPartition(topic, 0));
      await().until(() -> !consumer.poll(Duration.ofMillis(100)).isEmpty());
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String role, String topic) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            broker.properties(role), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partition = List.of(new TopicPartition(topic, 0));
    consumer.assign(partition);
    consumer.seekToBeginning(partition);
    return consumer;
  }
}
