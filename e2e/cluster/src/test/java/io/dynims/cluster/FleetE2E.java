package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.wire.Topics;
import io.dynims.testing.ControllerProcess;
import io.dynims.testing.KafkaBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator with 500 nodes: latency, memory, and requests to the API server. */
@Tag("long")
class FleetE2E {

  private static final int FLEET = 500;
  private static final long GIB = 1L << 30;
  private static final long MAX_RESIDENT_BYTES = 300_000_000;

  private static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: fleet}
      spec: {mode: Enforce, nodes: {selector: {}}, capacity: {max: %dGi}}
      """;

  private static Cluster cluster;
  private static KafkaBroker kafka;
  private static Release release;
  private static ControllerProcess controller;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.shared();
    cluster.nodes(FLEET);
    kafka = KafkaBroker.start();
    release = Release.install(cluster, "fleet", Release.PLAIN_TIERS);
    release.serveTiers(8 * GIB);
    controller = release.replica("fleet", kafka.bootstrapServers());
    Cluster.await().until(() -> release.holder().equals("fleet"));
  }

  @AfterAll
  static void end() throws Exception {
    if (controller != null) {
      controller.close();
    }
    if (release != null) {
      release.close();
    }
    if (cluster != null) {
      cluster.nodes(Cluster.NODES);
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  @Test
  void aChangeReachesThePolicyOfEveryNodeInLittleMemory() {
    try (KafkaConsumer<String, String> policies = policies()) {
      release.kubectl().apply(TIER.formatted(2));
      awaitPolicies(policies, 2 * GIB);
      Cluster.await()
          .until(
              () ->
                  release.tier("fleet").at("/status/capacity/capacityBytes").asLong()
                      == FLEET * 8 * GIB);

      release.kubectl().apply(TIER.formatted(3));
      Instant written = awaitPolicies(policies, 3 * GIB);

      List<ApiRequest> changes =
          cluster.requestsOfAdministrator().stream()
              .filter(r -> r.verb().equals("patch") && r.name().equals("fleet"))
              .toList();
      assertThat(changes).hasSize(1);
      System.out.printf(
          "%d nodes: the policy of every node was written %d ms after the API server received the"
              + " change%n",
          FLEET, Duration.between(changes.get(0).at(), written).toMillis());
    }
    Cluster.await()
        .until(() -> release.tier("fleet").at("/status/observedGeneration").asInt() == 2);
    printWrites();
    long residentBytes = controller.residentBytes();
    System.out.printf("%d nodes: the operator uses %d MB%n", FLEET, residentBytes / 1_000_000);
    assertThat(residentBytes).isLessThan(MAX_RESIDENT_BYTES);
  }

  private static KafkaConsumer<String, String> policies() {
    Cluster.await()
        .until(
            () -> {
              try (var admin = kafka.admin()) {
                return admin.listTopics().names().get().contains(Topics.POLICIES);
              }
            });
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.POLICIES).stream()
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  /** Waits until every node's policy has this maximum; returns the time of the last one. */
  private static Instant awaitPolicies(KafkaConsumer<String, String> policies, long maxBytes) {
    Set<String> nodes = new TreeSet<>();
    AtomicLong lastMillis = new AtomicLong();
    Cluster.await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              for (ConsumerRecord<String, String> found : policies.poll(Duration.ofMillis(100))) {
                JsonNode policy = Kubectl.json(found.value());
                if (policy.path("maxBytes").asLong() == maxBytes) {
                  nodes.add(policy.path("node").asText());
                  lastMillis.accumulateAndGet(found.timestamp(), Math::max);
                }
              }
              return nodes.size() == FLEET;
            });
    return Instant.ofEpochMilli(lastMillis.get());
  }

  /** Prints the operator's writes during the test, by kind. */
  private static void printWrites() {
    List<ApiRequest> writes = release.requests().stream().filter(ApiRequest::isWrite).toList();
    double minutes =
        Duration.between(writes.get(0).at(), writes.get(writes.size() - 1).at()).toMillis() / 60e3;
    Map<String, Long> byKind =
        writes.stream()
            .map(write -> write.verb() + " " + write.resource())
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    System.out.printf("%d nodes: writes in %.1f minutes%n", FLEET, minutes);
    byKind.forEach(
        (kind, count) -> System.out.printf("  %5.1f a minute  %s%n", count / minutes, kind));
    assertThat(byKind).containsKeys("patch memorytiers/status", "create events");
  }
}
