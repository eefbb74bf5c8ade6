package io.dynims.agents;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.wire.Topics;
import io.dynims.testing.CollectdAgent;
import io.dynims.testing.KafkaBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a real, unprivileged collectd sends to a real Kafka broker. */
class CollectdIT {

  private static final long MIB = 1L << 20;
  private static final List<String> DYNIMS_NAMES =
      List.of(
          "mem_total",
          "mem_free",
          "mem_available",
          "buffers",
          "cached",
          "shmem",
          "s_reclaimable",
          "s_unreclaim",
          "per_cpu_free",
          "psi_some_micros",
          "tier_used",
          "heartbeat",
          "tolerance");
  private static final Set<String> STOCK_INSTANCES =
      Set.of("used", "buffered", "cached", "free", "slab_unrecl", "slab_recl");

  private KafkaBroker broker;

  @BeforeAll
  static void requireCollectd() throws Exception {
    RequiredCollectd.check();
  }

  @BeforeEach
  void startBroker() throws Exception {
    broker = KafkaBroker.shared();
  }

  @AfterEach
  void stopBroker() throws Exception {
    broker.close();
  }

  @Test
  void sendsOneAtomicMessageATick() throws Exception {
    createTopic();
    try (var unused = CollectdAgent.start("node-it", broker.bootstrapServers());
        CollectdSamples samples = new CollectdSamples(broker.bootstrapServers())) {
      samples.awaitMore(30);

      double last = 0;
      for (JsonNode list : samples.all()) {
        assertThat(list.get("host").asText()).isEqualTo("node-it");
        assertThat(list.get("plugin").asText()).isEqualTo("dynims");
        assertThat(list.get("type").asText()).isEqualTo("dynims_memory");
        assertThat(list.get("type_instance").asText()).as("no tier").isEmpty();
        assertThat(CollectdSamples.isUnknown(list, "tier_used")).isTrue();
        assertThat(CollectdSamples.isUnknown(list, "heartbeat")).as("every sample").isTrue();
        assertThat(CollectdSamples.isUnknown(list, "tolerance")).isTrue();
        assertThat(list.get("interval").asDouble()).isEqualTo(0.1);
        // On a busy machine collectd makes up for a late tick at once.
        assertThat(list.get("time").asDouble()).isGreaterThanOrEqualTo(last);
        assertThat(CollectdSamples.texts(list.get("dsnames"))).isEqualTo(DYNIMS_NAMES);
        assertThat(Set.copyOf(CollectdSamples.texts(list.get("dstypes")))).containsExactly("gauge");
        assertThat(list.get("values")).hasSize(DYNIMS_NAMES.size());
        assertThat(CollectdSamples.value(list, "mem_total")).isEqualTo(meminfoBytes("MemTotal"));
        assertThat(CollectdSamples.value(list, "mem_free")).isBetween(1L, meminfoBytes("MemTotal"));
        assertThat(CollectdSamples.value(list, "mem_available"))
            .isBetween(1L, meminfoBytes("MemTotal"));
        last = list.get("time").asDouble();
      }
      assertThat(samples.keys()).containsOnly("node-it");
    }
  }

  @Test
  void showsTmpfsAsUsedMemoryUntilItIsFreed() throws Exception {
    createTopic();
    Path file = Path.of("/dev/shm/dynims-collectd-it-" + ProcessHandle.current().pid());
    try (var unused = CollectdAgent.start("node-it", broker.bootstrapServers());
        CollectdSamples samples = new CollectdSamples(broker.bootstrapServers())) {
      // Others use this machine's memory, too: a try in which they do much of that tells nothing.
      await("memory in use follows a file in tmpfs")
          .atMost(Duration.ofMinutes(3))
          .pollDelay(Duration.ZERO)
          .until(() -> memoryFollows(file, samples));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Whether memory is in use while there is a file of 200 MiB, and free soon after. */
  private static boolean memoryFollows(Path file, CollectdSamples samples) throws Exception {
    JsonNode before = after(samples);
    writeMebibytes(file, 200);
    JsonNode with = after(samples);
    Files.delete(file);
    // Most of it may stay in the processors' per-CPU lists, which MemAvailable does not include.
    JsonNode without = after(samples);
    return CollectdSamples.value(with, "shmem") - CollectdSamples.value(before, "shmem") > 190 * MIB
        && available(before) - available(with) > 150 * MIB
        && available(without) - available(with) > 150 * MIB;
  }

  /** A sample that was made after this call. */
  private static JsonNode after(CollectdSamples samples) throws Exception {
    long nowMillis = System.currentTimeMillis();
    do {
      samples.awaitMore(1);
    } while (CollectdSamples.timeMillis(samples.newest()) <= nowMillis + 100);
    return samples.newest();
  }

  private static long available(JsonNode newest) {
    return CollectdSamples.value(newest, "mem_available")
        + CollectdSamples.value(newest, "per_cpu_free");
  }

  @Test
  void reportsByExceptionTwiceASecondAndAStepInTheNextTick() throws Exception {
    createTopic();
    Path file = Path.of("/dev/shm/dynims-collectd-it-" + ProcessHandle.current().pid());
    // 64 MiB, so that others who use this machine's memory seldom change it by as much.
    double tolerance = 64.0 * MIB / meminfoBytes("MemTotal");
    try (var unused =
            CollectdAgent.start(
                "node-it",
                broker.bootstrapServers(),
                "--report-by-exception",
                "--tolerance",
                String.format(Locale.ROOT, "%.6f", tolerance));
        CollectdSamples samples = new CollectdSamples(broker.bootstrapServers())) {
      await("a calm node sends heartbeats alone, and a step before the next one is due")
          .atMost(Duration.ofMinutes(3))
          .pollDelay(Duration.ZERO)
          .until(() -> reportsAStep(file, samples));
      JsonNode newest = samples.newest();
      assertThat(CollectdSamples.number(newest, "heartbeat")).isEqualTo(0.5);
      assertThat(CollectdSamples.number(newest, "tolerance")).isBetween(63.0 * MIB, 65.0 * MIB);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Whether two heartbeats follow each other, and then a step comes out of their turn. */
  private static boolean reportsAStep(Path file, CollectdSamples samples) throws Exception {
    Files.deleteIfExists(file);
    JsonNode first = after(samples);
    samples.awaitMore(1);
    JsonNode second = samples.newest();
    if (!isHeartbeatAfter(first, second)) {
      return false;
    }
    writeMebibytes(file, 200);
    long shmem = CollectdSamples.value(second, "shmem");
    JsonNode before = second;
    while (true) {
      samples.awaitMore(1);
      JsonNode next = samples.newest();
      if (CollectdSamples.value(next, "shmem") - shmem > 64 * MIB) {
        return !isHeartbeatAfter(before, next);
      }
      before = next;
    }
  }

  private static boolean isHeartbeatAfter(JsonNode before, JsonNode next) {
    long millis = CollectdSamples.timeMillis(next) - CollectdSamples.timeMillis(before);
    return millis >= 430 && millis <= 600;
  }

  @Test
  void startsSendingOnceTheTopicExists() throws Exception {
    try (CollectdAgent agent = CollectdAgent.start("node-it", broker.bootstrapServers())) {
      long startedMillis = System.currentTimeMillis();
      await().until(() -> System.currentTimeMillis() > startedMillis + 3_000);
      assertThat(agent.isAlive()).isTrue();
      createTopic();
      try (CollectdSamples samples = new CollectdSamples(broker.bootstrapServers())) {
        samples.awaitMore(5);
      }
    }
  }

  @Test
  void listsOfTheStockPluginShareTheirTimeAndSumToTheTotal() throws Exception {
    createTopic();
    try (var unused =
            CollectdAgent.start("node-it", broker.bootstrapServers(), "--memory-plugin", "stock");
        CollectdSamples samples = new CollectdSamples(broker.bootstrapServers())) {
      samples.awaitMore(62);

      Map<String, List<JsonNode>> ticks =
          samples.all().stream().collect(groupingBy(list -> list.get("time").asText()));
      List<List<JsonNode>> whole = ticks.values().stream().filter(t -> t.size() == 6).toList();
      // The first and the last tick may be incomplete.
      assertThat(whole).hasSizeGreaterThanOrEqualTo(Math.max(8, ticks.size() - 2));
      for (List<JsonNode> tick : whole) {
        assertThat(tick.stream().map(list -> list.get("type_instance").asText()).collect(toSet()))
            .isEqualTo(STOCK_INSTANCES);
        assertThat(tick.stream().mapToLong(list -> list.get("values").get(0).asLong()).sum())
            .isEqualTo(meminfoBytes("MemTotal"));
      }
    }
  }

  @Test
  void doesNotReplayTheSamplesOfAnOutage() throws Exception {
    broker = KafkaBroker.start();
    createTopic();
    try (CollectdAgent agent = CollectdAgent.start("node-it", broker.bootstrapServers());
        CollectdSamples samples = new CollectdSamples(broker.bootstrapServers())) {
      samples.awaitMore(5);

      broker.stop();
      long stoppedMillis = System.currentTimeMillis();
      await().until(() -> System.currentTimeMillis() > stoppedMillis + 7_000);
      long restartedMillis = System.currentTimeMillis();
      broker.restart();

      await()
          .until(
              () -> {
                samples.awaitMore(1);
                return CollectdSamples.timeMillis(samples.newest()) > restartedMillis;
              });
      // Samples of the last one or two seconds of the outage may arrive: they are recent enough.
      assertThat(samples.all())
          .noneMatch(
              list -> {
                long time = CollectdSamples.timeMillis(list);
                return time > stoppedMillis && time < restartedMillis - 3_000;
              });
      assertThat(agent.isAlive()).isTrue();
    }
  }

  private void createTopic() throws Exception {
    broker.createTopic(Topics.METRICS, 1, Map.of());
  }

  private static long meminfoBytes(String name) {
    try {
      return Files.readAllLines(Path.of("/proc/meminfo")).stream()
          .filter(line -> line.startsWith(name + ":"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst()
          .orElseThrow();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void writeMebibytes(Path file, int count) throws Exception {
    byte[] chunk = new byte[(int) MIB];
    try (var out = Files.newOutputStream(file)) {
      for (int i = 0; i < count; i++) {
        out.write(chunk);
      }
    }
  }
}
