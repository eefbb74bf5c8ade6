package io.dynims.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.wire.Topics;
import io.dynims.local.FreePorts;
import io.dynims.testing.CollectdAgent;
import io.dynims.testing.KafkaBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What arrives where agents send to one collectd, which alone writes to Kafka. */
class AggregatorIT {

  private static final String KAFKA = "LoadPlugin write_kafka";

  @TempDir private Path folder;

  private final List<Process> started = new ArrayList<>();

  @Test
  void samplesOfANodeArriveWholeAndInOrder() throws Exception {
    RequiredCollectd.check("write_kafka", "python", "network");
    try (KafkaBroker broker = KafkaBroker.shared()) {
      broker.createTopic(Topics.METRICS, 1, Map.of());
      int port = FreePorts.next();
      start("aggregator", aggregator(render("aggregator", broker), port));
      start("node-1", agent(render("node-1", broker), port));
      start("node-2", agent(render("node-2", broker), port));
      try (CollectdSamples samples = new CollectdSamples(broker.bootstrapServers())) {
        samples.awaitMore(100);

        assertThat(samples.keys()).containsExactly("aggregator");
        Map<String, Long> last = new HashMap<>();
        for (JsonNode sample : samples.all()) {
          String node = sample.get("host").asText();
          long millis = CollectdSamples.timeMillis(sample);
          // A collectd that is late by more than an interval reads twice within a millisecond.
          assertThat(millis).isGreaterThanOrEqualTo(last.getOrDefault(node, 0L));
          assertThat(CollectdSamples.value(sample, "mem_total")).isPositive();
          last.put(node, millis);
        }
        assertThat(last).containsOnlyKeys("node-1", "node-2");
      }
    } finally {
      started.forEach(Process::destroyForcibly);
    }
  }

  private String render(String node, KafkaBroker broker) throws Exception {
    Path conf = folder.resolve(node + ".conf");
    CollectdAgent.Ended rendered =
        CollectdAgent.render(
            List.of("--node", node, "--brokers", broker.bootstrapServers(), "--output", "" + conf));
    assertThat(rendered.exitCode()).as(rendered.output()).isZero();
    return Files.readString(conf);
  }

  private static String agent(String rendered, int port) {
    return rendered.substring(0, rendered.indexOf(KAFKA)) + network("Server", port);
  }

  private static String aggregator(String rendered, int port) {
    int reader = rendered.indexOf("LoadPlugin python");
    int kafka = rendered.indexOf(KAFKA);
    return rendered.substring(0, reader) + network("Listen", port) + rendered.substring(kafka);
  }

  private static String network(String role, int port) {
    return "LoadPlugin network\n<Plugin network>\n  %s \"127.0.0.1\" \"%d\"\n</Plugin>\n"
        .formatted(role, port);
  }

  private void start(String name, String conf) throws Exception {
    Path file = Files.writeString(folder.resolve(name + "-started.conf"), conf);
    started.add(
        new ProcessBuilder(
                "/usr/sbin/collectd", "-f", "-C", "" + file, "-P", "" + folder.resolve(name))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start());
  }
}
