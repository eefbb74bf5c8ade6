package io.dynims.cli.doctor;

import io.dynims.cli.doctor.DoctorOptions.Program;
import io.dynims.cli.stack.Text;
import io.dynims.core.wire.Topics;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Whether the brokers have the topics, with the right settings and fresh records. */
final class KafkaChecks {

  private static final long OLD_MILLIS = 10_000;

  private final Observations seen;

  KafkaChecks(Observations seen) {
    this.seen = seen;
  }

  void addTo(Map<String, Supplier<Diagnosis>> checks) {
    checks.put(
        "kafka",
        () ->
            seen.kafka()
                .presence(
                    kafka -> Diagnosis.ok("the brokers answer"),
                    seen.options().restart(Program.Kafka)
                        + "; with TLS or SASL: --kafka-properties FILE"));
    checks.put("kafka-credentials", () -> seen.kafka().diagnose(this::credentials));
    checks.put("kafka-topics", () -> ofTopics(this::topics));
    checks.put("kafka-leaders", () -> ofTopics(this::leaders));
    checks.put("kafka-compaction", () -> ofTopics(this::compaction));
    checks.put("kafka-partitions", () -> ofTopics(this::partitions));
    checks.put("kafka-samples", () -> ofTopics(this::samples));
    checks.put(
        "kafka-rights",
        () -> ofTopics(kafka -> new KafkaRights(seen.options()).diagnose(kafka.topics())));
  }

  private Diagnosis ofTopics(Function<KafkaFacts, Diagnosis> check) {
    return seen.kafka()
        .diagnose(
            kafka ->
                kafka.refused().isPresent()
                    ? Diagnosis.skipped("the brokers refuse the credentials")
                    : check.apply(kafka));
  }

  private Diagnosis credentials(KafkaFacts kafka) {
    return kafka
        .refused()
        .map(
            why ->
                Diagnosis.error(
                    "the brokers refuse the credentials: " + why,
                    "correct sasl.jaas.config, or the certificate, in the file of"
                        + " --kafka-properties"))
        .orElseGet(() -> Diagnosis.ok("the brokers accept the credentials"));
  }

  private Diagnosis topics(KafkaFacts kafka) {
    if (!kafka.missing().isEmpty()) {
      return Diagnosis.error(
          "missing: " + String.join(", ", kafka.missing()),
          "start the controller, which creates them, or see why it cannot: "
              + seen.options().restart(Program.Controller));
    }
    int hidden = KafkaFacts.TOPICS.size() - kafka.topics().size();
    return Diagnosis.ok(
        "%d topics%s"
            .formatted(
                kafka.topics().size(),
                hidden == 0
                    ? ""
                    : ", and %d that these credentials do not show".formatted(hidden)));
  }

  private Diagnosis leaders(KafkaFacts kafka) {
    String leaderless =
        kafka.topics().entrySet().stream()
            .filter(topic -> topic.getValue().leaderless() > 0)
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    return leaderless.isEmpty()
        ? Diagnosis.ok("every partition has a leader")
        : Diagnosis.error(
            "partitions without a leader: " + leaderless,
            "start the brokers that are away: kafka-topics.sh --describe --unavailable-partitions");
  }

  private Diagnosis compaction(KafkaFacts kafka) {
    KafkaFacts.Topic policies = kafka.topics().get(Topics.POLICIES);
    if (policies == null || policies.cleanupPolicy().isEmpty()) {
      return Diagnosis.skipped("these credentials do not show it");
    }
    String text = Topics.POLICIES + " has cleanup.policy=" + policies.cleanupPolicy().get();
    return policies.cleanupPolicy().get().equals("compact")
        ? Diagnosis.ok(text)
        : Diagnosis.error(
            text + ": policies are lost after its retention",
            "kafka-configs.sh --bootstrap-server %s --alter --topic %s --add-config"
                    .formatted(seen.options().targets().bootstrap().get(), Topics.POLICIES)
                + " cleanup.policy=compact");
  }

  private Diagnosis partitions(KafkaFacts kafka) {
    Map<String, Integer> counts = new TreeMap<>();
    kafka.topics().forEach((name, topic) -> counts.put(name, topic.partitions()));
    TreeSet<Integer> different = new TreeSet<>(counts.values());
    if (different.isEmpty()) {
      return Diagnosis.skipped("no topic");
    }
    return different.size() == 1
        ? Diagnosis.ok(different.first() + " partitions each")
        : Diagnosis.warning(
            "the topics differ in partitions: " + counts,
            "kafka-topics.sh --alter --partitions %d for those with fewer, and as many in"
                    .formatted(different.last())
                + " kafka.topics.partitions of the controller");
  }

  /** Which node sent them is only in the records; the controller knows the age of each node's. */
  private Diagnosis samples(KafkaFacts kafka) {
    KafkaFacts.Topic metrics = kafka.topics().get(Topics.METRICS);
    if (metrics == null) {
      return Diagnosis.skipped("there is no " + Topics.METRICS);
    }
    OptionalLong newest = metrics.newestMillis();
    String remedy = seen.options().restart(Program.Collectd);
    if (newest.isEmpty()) {
      return Diagnosis.skipped("these credentials do not show it");
    }
    if (newest.getAsLong() == 0) {
      return Diagnosis.error(Topics.METRICS + " has no sample of any node", remedy);
    }
    long ageMillis = seen.options().clock().millis() - newest.getAsLong();
    String age =
        "the newest sample in %s is %s old"
            .formatted(Topics.METRICS, Text.millis(Math.max(0, ageMillis)));
    return ageMillis > OLD_MILLIS ? Diagnosis.error(age, remedy) : Diagnosis.ok(age);
  }
}
