package io.dynims.cli.doctor;

import static io.dynims.cli.doctor.Diagnosis.Verdict.error;
import static io.dynims.cli.doctor.Diagnosis.Verdict.ok;
import static io.dynims.cli.doctor.Diagnosis.Verdict.warning;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Topics;
import io.dynims.local.FreePorts;
import io.dynims.testing.SecureBroker;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes on a real broker that asks for credentials; its jars must be built. */
class DoctorKafkaIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long HOUR_MILLIS = 3_600_000;

  @TempDir private static Path folder;
  private static SecureBroker broker;
  private static Admin admin;

  @BeforeAll
  static void start() throws Exception {
    broker = new SecureBroker(folder);
    admin = broker.admin();
  }

  @AfterAll
  static void stop() throws Exception {
    if (admin != null) {
      admin.close();
    }
    if (broker != null) {
      broker.close();
    }
  }

  @BeforeEach
  void makeTopics() throws Exception {
    // The broker may hear of an earlier test's topic after it has listed the others.
    await().until(DoctorKafkaIT::hasNoTopic);
    for (String topic : KafkaFacts.TOPICS) {
      make(topic, topic.equals(Topics.POLICIES) ? "compact" : "delete");
    }
  }

  /** Deletes the topics that the broker knows, and says whether there was none. */
  private static boolean hasNoTopic() throws Exception {
    Set<String> names = admin.listTopics().names().get();
    for (KafkaFuture<Void> deleted : admin.deleteTopics(names).topicNameValues().values()) {
      try {
        deleted.get();
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
      }
    }
    return names.isEmpty();
  }

  @Test
  void aHealthyBrokerHasNoFindings() throws Exception {
    send(System.currentTimeMillis());
    List<Diagnosis> all = examine(administrator(), Optional.empty());

    assertThat(findings(all)).isEmpty();
    assertThat(all).filteredOn(each -> each.verdict() == ok).hasSize(7);
  }

  @Test
  void findsMissingTopics() throws Exception {
    send(System.currentTimeMillis());
    admin.deleteTopics(List.of(Topics.ACKS)).all().get();
    await().until(() -> !admin.listTopics().names().get().contains(Topics.ACKS));

    Diagnosis found = onlyFinding("kafka-topics");
    assertThat(found.verdict()).isEqualTo(error);
    assertThat(found.seen()).isEqualTo("missing: " + Topics.ACKS);
  }

  @Test
  void findsThatPoliciesAreNotCompacted() throws Exception {
    send(System.currentTimeMillis());
    admin.deleteTopics(List.of(Topics.POLICIES)).all().get();
    await().until(() -> !admin.listTopics().names().get().contains(Topics.POLICIES));
    make(Topics.POLICIES, "delete");

    Diagnosis found = onlyFinding("kafka-compaction");
    assertThat(found.verdict()).isEqualTo(error);
    assertThat(found.remedy()).contains("kafka-configs.sh", "cleanup.policy=compact");
  }

  @Test
  void findsTopicsThatDifferInPartitions() throws Exception {
    send(System.currentTimeMillis());
    admin.createPartitions(Map.of(Topics.TARGETS, NewPartitions.increaseTo(3))).all().get();
    awaitPartitions(Topics.TARGETS, 3);

    Diagnosis found = onlyFinding("kafka-partitions");
    assertThat(found.verdict()).isEqualTo(warning);
    assertThat(found.seen()).contains("dynims.targets=3");
  }

  @Test
  void findsThatNobodySendsSamples() throws Exception {
    assertThat(onlyFinding("kafka-samples").seen()).contains("has no sample of any node");

    send(System.currentTimeMillis() - HOUR_MILLIS);
    assertThat(onlyFinding("kafka-samples").seen()).contains("is 60 min old");
  }

  @Test
  void findsCredentialsThatTheBrokerRefuses() throws Exception {
    send(System.currentTimeMillis());
    Map<String, Object> wrong = broker.properties("job");
    wrong.computeIfPresent(
        "sasl.jaas.config", (key, value) -> value.toString().replace("password-of", "guess-of"));
    List<Diagnosis> found = findings(examine(wrong, Optional.empty()));

    assertThat(found).extracting(Diagnosis::name).containsExactly("kafka-credentials");
    assertThat(found.get(0).verdict()).isEqualTo(error);
  }

  @ParameterizedTest
  @CsvSource({"agent", "controller", "job"})
  void aRoleMayDoWhatItNeedsAndNothingElse(String role) throws Exception {
    send(System.currentTimeMillis());
    List<Diagnosis> all = examine(broker.properties(role), Optional.of(role));

    assertThat(findings(all)).isEmpty();
    assertThat(all)
        .filteredOn(each -> each.name().equals("kafka-rights"))
        .allMatch(each -> each.verdict() == ok);
  }

  @Test
  void findsRightsThatAreMissingAndRightsThatNobodyNeeds() throws Exception {
    send(System.currentTimeMillis());
    List<Diagnosis> less = findings(examine(broker.properties("agent"), Optional.of("job")));
    List<Diagnosis> more = findings(examine(administrator(), Optional.of("agent")));

    assertThat(less).extracting(Diagnosis::name).containsExactly("kafka-rights");
    assertThat(less.get(0).verdict()).isEqualTo(error);
    assertThat(less.get(0).seen()).contains("the role job may not", "WRITE dynims.targets");
    assertThat(more).extracting(Diagnosis::name).containsExactly("kafka-rights");
    assertThat(more.get(0).verdict()).isEqualTo(warning);
    assertThat(more.get(0).seen()).contains("WRITE dynims.policies");
  }

  @Test
  void aBrokerThatIsAwayIsAFinding() throws Exception {
    Map<String, Object> nobody = Map.of("bootstrap.servers", "127.0.0.1:" + FreePorts.next());
    List<Diagnosis> found = findings(examine(nobody, Optional.empty(), Duration.ofMillis(500)));

    assertThat(found).extracting(Diagnosis::name).containsExactly("kafka");
    assertThat(found.get(0).seen()).contains("do not answer");
  }

  private static void make(String topic, String cleanupPolicy) throws Exception {
    NewTopic made =
        new NewTopic(topic, 1, (short) 1).configs(Map.of("cleanup.policy", cleanupPolicy));
    admin.createTopics(List.of(made)).all().get();
    awaitPartitions(topic, 1);
  }

  /** A broker shows what its controller has made a little later. */
  private static void awaitPartitions(String topic, int count) {
    await()
        .ignoreExceptionsInstanceOf(ExecutionException.class)
        .until(
            () ->
                admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions(),
            partitions ->
                partitions.size() == count
                    && partitions.stream().allMatch(each -> each.leader() != null));
  }

  /** A sample, as an agent would send it. */
  private static void send(long sampledMillis) throws Exception {
    try (KafkaProducer<byte[], byte[]> agent =
        new KafkaProducer<>(
            broker.properties("agent"), new ByteArraySerializer(), new ByteArraySerializer())) {
      agent
          .send(new ProducerRecord<>(Topics.METRICS, null, sampledMillis, null, new byte[] {1}))
          .get();
    }
  }

  private static Map<String, Object> administrator() {
    return Map.of("bootstrap.servers", broker.adminBootstrapServers());
  }

  private static Diagnosis onlyFinding(String check) throws Exception {
    List<Diagnosis> found = findings(examine(administrator(), Optional.empty()));
    assertThat(found).extracting(Diagnosis::name).containsExactly(check);
    return found.get(0);
  }

  private static List<Diagnosis> examine(Map<String, Object> client, Optional<String> role)
      throws Exception {
    return examine(client, role, LONG);
  }

  private static List<Diagnosis> examine(
      Map<String, Object> client, Optional<String> role, Duration timeout) throws Exception {
    Map<String, Object> properties = new HashMap<>(client);
    Optional<String> bootstrap = Optional.of(properties.remove("bootstrap.servers").toString());
    DoctorTargets targets =
        new DoctorTargets(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            bootstrap,
            properties,
            role,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Path rights = Path.of("../dist/kafka/acls.csv");
    DoctorOptions options =
        new DoctorOptions(targets, false, Path.of("/"), rights, Clock.systemUTC(), timeout);
    return new Doctor(options).run(each -> {});
  }

  private static List<Diagnosis> findings(List<Diagnosis> all) {
    return all.stream().filter(each -> Set.of(warning, error).contains(each.verdict())).toList();
  }
}
