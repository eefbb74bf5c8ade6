package io.dynims.controller;

import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.controller.PushLog.Push;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.testing.ControllerProcess;
import io.dynims.testing.KafkaBroker;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two controllers in processes of their own share the nodes of a fleet over a real Kafka broker.
 * What the adapters have logged shows who pushed when.
 */
class SharedFleetIT {

  private static final int NODES = 12;

  @TempDir Path folder;

  private final PushLog log = new PushLog();
  private final List<TierServer> adapters = new ArrayList<>();
  private final List<ControllerProcess> controllers = new ArrayList<>();
  private final ScheduledExecutorService job = Executors.newSingleThreadScheduledExecutor();
  private KafkaBroker broker;
  private KafkaProducer<String, byte[]> producer;
  private ControllerProcess first;
  private ControllerProcess second;
  private int ticks;

  @BeforeEach
  void start() throws Exception {
    broker = KafkaBroker.start();
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", (Object) broker.bootstrapServers(), "linger.ms", 0),
            new StringSerializer(),
            new ByteArraySerializer());
    writePolicy();
    first = controller("first");
    var unusedFuture = job.scheduleAtFixedRate(this::decide, 0, 100, TimeUnit.MILLISECONDS);
    await().until(() -> nodesPushedBy("first", System.nanoTime()).size() == NODES);
    second = controller("second");
    await().until(this::isShared);
  }

  @AfterEach
  void close() throws Exception {
    job.shutdownNow();
    assertThat(job.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    controllers.forEach(ControllerProcess::kill);
    adapters.forEach(TierServer::close);
    if (producer != null) {
      producer.close(Duration.ZERO);
    }
    if (broker != null) {
      broker.close();
    }
    log.close();
  }

  @Test
  void theNodesOfAControllerThatIsKilledArePushedByTheOther() {
    Set<String> lost = nodesPushedBy("first", System.nanoTime());
    first.kill();
    long killedNanos = System.nanoTime();

    await().until(() -> log.nodes(name("second", killedNanos), killedNanos).containsAll(lost));

    print("killed", lost, killedNanos);
    assertEachPushWasOfTheLatestTerm();
    assertShowsTheWholeFleet(second);
  }

  @Test
  void theNodesOfAControllerThatStopsArePushedByTheOther() {
    Set<String> lost = nodesPushedBy("second", System.nanoTime());
    long stoppedNanos = System.nanoTime();
    second.close();

    await().until(() -> log.nodes(name("first", stoppedNanos), stoppedNanos).containsAll(lost));

    print("stopped", lost, stoppedNanos);
    assertEachPushWasOfTheLatestTerm();
  }

  @Test
  void aControllerThatStoodStillPushesNothingThatItHasLost() throws Exception {
    Set<String> lost = nodesPushedBy("first", System.nanoTime());
    long stoodNanos = System.nanoTime();
    first.signal("STOP");
    await().until(() -> log.nodes(name("second", stoodNanos), stoodNanos).containsAll(lost));
    print("suspended", lost, stoodNanos);
    first.signal("CONT");

    await().until(this::isShared);
    assertEachPushWasOfTheLatestTerm();
  }

  @Test
  void eachControllerShowsTheWholeFleetAndEachNodeIsStillPushedWhenOneHasJoined() {
    long joinedNanos = System.nanoTime();
    assertShowsTheWholeFleet(first);
    assertShowsTheWholeFleet(second);
    await().until(() -> nodesPushedSince(joinedNanos) == NODES);
    assertEachPushWasOfTheLatestTerm();
    long longestNanos = 0;
    for (List<Push> pushes : log.byNode().values()) {
      for (int i = 1; i < pushes.size(); i++) {
        longestNanos =
            Math.max(longestNanos, pushes.get(i).atNanos() - pushes.get(i - 1).atNanos());
      }
    }
    System.out.printf(
        "A controller joined: no node was without a push for more than %d ms%n",
        TimeUnit.NANOSECONDS.toMillis(longestNanos));
  }

  /** For each node, terms only grow, and each is one controller's. */
  private void assertEachPushWasOfTheLatestTerm() {
    assertThat(log.byNode()).hasSize(NODES);
    log.byNode()
        .forEach(
            (node, pushes) -> {
              Map<Long, String> holders = new HashMap<>();
              long latest = 0;
              for (Push push : pushes) {
                assertThat(push.term()).as(node).isGreaterThanOrEqualTo(latest);
                latest = push.term();
                assertThat(holders.computeIfAbsent(latest, term -> push.controller()))
                    .as(node)
                    .isEqualTo(push.controller());
              }
            });
  }

  private void assertShowsTheWholeFleet(ControllerProcess controller) {
    long sinceMillis = System.currentTimeMillis();
    await()
        .untilAsserted(
            () -> {
              JsonNode tiers = controller.get("/api/v1/tiers").path("tiers");
              assertThat(tiers).hasSize(NODES);
              assertThat(tiers)
                  .allSatisfy(
                      tier -> {
                        assertThat(tier.path("state").asText()).isEqualTo("Enforcing");
                        long ageMillis = tier.path("ageMillis").asLong();
                        assertThat(System.currentTimeMillis() - ageMillis)
                            .as("it has heard of the node since it was asked")
                            .isGreaterThan(sinceMillis);
                      });
            });
    assertThat(controller.get("/api/v1/policies").path("policies")).hasSize(NODES);
  }

  private void print(String what, Set<String> lost, long sinceNanos) {
    Map<String, Long> again = new HashMap<>();
    String survivor = name(what.equals("stopped") ? "first" : "second", sinceNanos);
    log.since(sinceNanos).stream()
        .filter(push -> lost.contains(push.node()) && push.controller().equals(survivor))
        .forEach(push -> again.putIfAbsent(push.node(), push.atNanos() - sinceNanos));
    System.out.printf(
        "A controller was %s: its %d nodes were pushed again within %d ms%n",
        what,
        lost.size(),
        TimeUnit.NANOSECONDS.toMillis(
            again.values().stream().mapToLong(each -> each).max().orElse(0)));
  }

  /** Whether both push, and all nodes are pushed. */
  private boolean isShared() {
    long nowNanos = System.nanoTime();
    Set<String> byFirst = nodesPushedBy("first", nowNanos);
    Set<String> bySecond = nodesPushedBy("second", nowNanos);
    Set<String> all = new HashSet<>(byFirst);
    all.addAll(bySecond);
    return !byFirst.isEmpty()
        && !bySecond.isEmpty()
        && byFirst.size() + bySecond.size() == NODES
        && all.size() == NODES;
  }

  private long nodesPushedSince(long nanos) {
    return log.since(nanos).stream().map(Push::node).distinct().count();
  }

  /** The nodes that a controller pushed to in the last second. */
  private Set<String> nodesPushedBy(String host, long nowNanos) {
    long sinceNanos = nowNanos - TimeUnit.SECONDS.toNanos(1);
    return log.nodes(name(host, sinceNanos), sinceNanos);
  }

  /** The full name of the controller of a host; empty if it has not pushed since a time. */
  private String name(String host, long sinceNanos) {
    return log.controllers(sinceNanos).stream()
        .filter(name -> name.startsWith(host + "-"))
        .findFirst()
        .orElse("");
  }

  /** What the job does ten times a second, but for the law. */
  private void decide() {
    ticks++;
    for (int node = 0; node < NODES; node++) {
      Target target = target("n" + node, 300 + 10 * (ticks % 10));
      var unusedFuture =
          producer.send(
              new ProducerRecord<>(
                  Topics.TARGETS, target.key().toString(), WireCodec.TARGET.encode(target)));
    }
  }

  private void writePolicy() throws Exception {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: dynims.io/v1alpha1
            kind: MemoryTier
            metadata: {name: memory}
            spec:
              mode: Enforce
              capacity: {max: 1000}
              nodes:
                list:
            """);
    for (int node = 0; node < NODES; node++) {
      String name = "n" + node;
      TierServer adapter =
          TierServer.start(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              new InMemoryTierStore("memory", 0, 1_000),
              new GuardSettings(name, Optional.empty(), StateFile.open(Optional.empty())),
              TierAccess.anyone());
      adapters.add(adapter);
      text.append("      - {name: ").append(name);
      text.append(", adapter: \"").append(adapter.uri()).append("\"}\n");
    }
    Files.writeString(folder.resolve("a.yaml"), text);
  }

  private ControllerProcess controller(String host) {
    ControllerProcess started =
        new ControllerProcess.Builder(Path.of("..").toAbsolutePath().normalize(), "share-" + host)
            .environment("HOSTNAME", host)
            // It lives for seconds.
            .javaOptions(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))
            .setting("kafka.bootstrap.servers", broker.bootstrapServers())
            .setting("kafka.topics.partitions", "4")
            .setting("kafka.lease", "fleet")
            .setting("controllers.share", "true")
            .setting("push.held", "0ms")
            .setting("policies.path", folder.toString())
            .start();
    controllers.add(started);
    return started;
  }
}
