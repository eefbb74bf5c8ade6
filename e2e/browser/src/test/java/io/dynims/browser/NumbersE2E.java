package io.dynims.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.core.law.FeedbackLaw;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.LawState;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.testing.KafkaBroker;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/**
 * Every number on the page against the API's. All tiers have become stale, so that nothing moves
 * while both are asked; one node has two tiers.
 */
class NumbersE2E {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long GIB = 1L << 30;

  @TempDir private static Path policies;
  private static KafkaBroker kafka;
  private static TierServer alluxio;
  private static TierServer second;
  private static PageController controller;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    kafka = KafkaBroker.start();
    alluxio = adapter("alluxio", 60 * GIB);
    second = adapter("second", 7 * GIB);
    write("alluxio", alluxio, "60Gi", "n1", "n2", "n3");
    write("second", second, "5Gi", "n1");
    controller = new PageController(kafka, policies, "numbers");
    browser = new Browser();
    browser.open(controller.page());
    Browser.await().until(() -> browser.text("#count").equals("4 of 4"));
    // What comes while the page is open comes in rows.
    decide();
    Browser.await().until(() -> browser.all("#visible .state-Stale").size() == 4);
  }

  @AfterAll
  static void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (controller != null) {
      controller.close();
    }
    for (TierServer adapter : List.of(alluxio, second)) {
      adapter.close();
    }
    kafka.close();
  }

  @Test
  void ofTheTable() throws Exception {
    browser.run("location.hash = '#/'");
    Browser.await().until(() -> browser.all("#visible tr").size() == 4);
    List<List<String>> expected = new ArrayList<>();
    for (JsonNode tier : tiers()) {
      expected.add(
          List.of(
              Shown.text(tier.path("node")),
              Shown.text(tier.path("tier")),
              Shown.text(tier.path("mode")),
              Shown.text(tier.path("state")),
              Shown.percent(tier.path("utilization")),
              Shown.bytes(tier.path("desiredBytes")),
              Shown.bytes(tier.path("capacityBytes")),
              Shown.bytes(tier.path("usedBytes"))));
    }

    assertThat(rows("#visible tr").stream().map(row -> row.subList(0, 8)))
        .containsExactlyInAnyOrderElementsOf(expected);
    // Ages grow while they are asked for.
    long before = tiers().get(0).path("ageMillis").asLong();
    String shown = rows("#visible tr").get(0).get(8);
    long after = tiers().get(0).path("ageMillis").asLong();
    assertThat(shown).matches("[0-9.]+[sm]");
    double seconds = Double.parseDouble(shown.substring(0, shown.length() - 1));
    double unitMillis = shown.endsWith("m") ? 60_000 : 1_000;
    assertThat(seconds * unitMillis).isBetween(before - unitMillis - 500, after + 500.0);
  }

  @Test
  void ofTheFleet() throws Exception {
    browser.run("location.hash = '#/fleet'");
    Browser.await().until(() -> browser.text("#histogram-text").contains("of 3"));
    Map<String, JsonNode> nodes = new TreeMap<>();
    for (JsonNode tier : tiers()) {
      nodes.merge(tier.path("node").asText(), tier, NumbersE2E::newer);
    }
    long usedBytes = sum(nodes.values(), "memoryUsedBytes");
    long totalBytes = sum(nodes.values(), "memoryTotalBytes");

    assertThat(facts("#sums"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "Nodes", "3",
                "Memory of the nodes", Shown.bytes(totalBytes),
                "In use",
                    Shown.bytes(usedBytes) + ", " + Shown.percent((double) usedBytes / totalBytes),
                "Tiers, desired", Shown.bytes(sum(tiers(), "desiredBytes")),
                "Tiers, in force", Shown.bytes(sum(tiers(), "capacityBytes")),
                "Tiers, used", Shown.bytes(sum(tiers(), "usedBytes"))));
    assertThat(totalBytes).isEqualTo(3 * 128 * GIB);
    assertThat(rows("#states tr")).containsExactly(List.of("Stale", "4"));
    assertThat(rows("#limits tr")).containsExactlyInAnyOrderElementsOf(limits());
    assertThat(browser.text("#histogram-text")).isEqualTo("1 node of 3 above the threshold.");
  }

  @Test
  void ofANode() throws Exception {
    for (JsonNode tier : tiers()) {
      String node = tier.path("node").asText();
      String name = tier.path("tier").asText();
      browser.run("location.hash = arguments[0]", "#/node/" + node + "/" + name);
      Browser.await().until(() -> browser.text("#node-title").equals(node + " · " + name));
      JsonNode history =
          get("/api/v1/tiers/" + node + "/history?last=5m&tier=" + name).path("decisions");
      Browser.await().until(() -> browser.all("#decisions tr").size() == history.size());
      Browser.await().until(() -> facts("#facts").size() == 10);

      assertThat(facts("#facts"))
          .containsEntry("State", "Stale: " + tier.path("stateReason").asText())
          .containsEntry("Mode", Shown.text(tier.path("mode")))
          .containsEntry(
              "Utilization",
              Shown.percent(tier.path("utilization"))
                  + ", threshold "
                  + Shown.percent(tier.path("threshold")))
          .containsEntry("Desired", Shown.bytes(tier.path("desiredBytes")))
          .containsEntry("In force", Shown.bytes(tier.path("capacityBytes")))
          .containsEntry("Used", Shown.bytes(tier.path("usedBytes")))
          .containsEntry("Cannot be evicted", Shown.bytes(tier.path("unevictableBytes")))
          .containsEntry(
              "Bounds",
              Shown.bytes(tier.path("minBytes")) + " to " + Shown.bytes(tier.path("maxBytes")))
          .containsEntry(
              "Memory in use",
              Shown.bytes(tier.path("memoryUsedBytes"))
                  + " of "
                  + Shown.bytes(tier.path("memoryTotalBytes")));
      assertThat(rows("#decisions tr")).isEqualTo(decisions(history));
    }
  }

  @Test
  void theLastHourIsChosenWithTheKeyboard() throws Exception {
    browser.run("location.hash = '#/node/n1/alluxio'");
    JsonNode hour = get("/api/v1/tiers/n1/history?last=1h&tier=alluxio").path("decisions");
    JsonNode minutes = get("/api/v1/tiers/n1/history?last=5m&tier=alluxio").path("decisions");
    assertThat(hour.size()).isEqualTo(minutes.size() + 1);
    Browser.await().until(() -> browser.all("#decisions tr").size() == minutes.size());

    browser.all("#spans input:checked").get(0).sendKeys(Keys.ARROW_RIGHT);
    Browser.await().until(() -> browser.all("#decisions tr").size() == hour.size());
    assertThat(rows("#decisions tr")).isEqualTo(decisions(hour));
    assertThat(browser.accessibilityViolations()).isEmpty();
    browser.screenshot("node-hour");
    browser.all("#spans input:checked").get(0).sendKeys(Keys.ARROW_LEFT);
    Browser.await().until(() -> browser.all("#decisions tr").size() == minutes.size());
    assertThat(browser.consoleErrors()).isEmpty();
  }

  private static List<List<String>> decisions(JsonNode history) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode decision : history) {
      rows.add(
          List.of(
              Shown.time(decision.path("decidedMillis")),
              Shown.text(decision.path("action")),
              Shown.percent(decision.path("utilization")),
              Shown.bytes(decision.path("memoryUsedBytes")),
              Shown.bytes(decision.path("previousBytes")),
              Shown.change(-decision.path("stepBytes").asLong()),
              Shown.bytes(decision.path("desiredBytes")),
              Shown.text(decision.path("limitedBy")),
              Shown.text(decision.path("reason"))));
    }
    return rows;
  }

  private static JsonNode newer(JsonNode one, JsonNode other) {
    return one.path("sampledMillis").asLong() >= other.path("sampledMillis").asLong() ? one : other;
  }

  private static long sum(Iterable<JsonNode> all, String field) {
    return StreamSupport.stream(all.spliterator(), false)
        .mapToLong(each -> each.path(field).asLong())
        .sum();
  }

  private static List<List<String>> limits() throws Exception {
    Map<String, Long> counts =
        StreamSupport.stream(tiers().spliterator(), false)
            .map(tier -> tier.at("/lastDecision/limitedBy").asText())
            .collect(Collectors.groupingBy(limit -> limit, Collectors.counting()));
    return counts.entrySet().stream().map(e -> List.of(e.getKey(), "" + e.getValue())).toList();
  }

  private static Map<String, String> facts(String list) {
    return browser.all(list + " > div").stream()
        .map(WebElement::getText)
        .collect(
            Collectors.toMap(
                text -> text.lines().findFirst().orElse(""),
                text -> text.lines().skip(1).collect(Collectors.joining(" "))));
  }

  private static List<List<String>> rows(String selector) {
    @SuppressWarnings("unchecked")
    var found =
        (List<List<String>>)
            browser.run(
                "return [...document.querySelectorAll(arguments[0])]"
                    + ".map(row => [...row.cells].map(cell => cell.innerText.trim()))",
                selector);
    return found;
  }

  private static JsonNode tiers() throws Exception {
    return get("/api/v1/tiers").path("tiers");
  }

  private static JsonNode get(String path) throws Exception {
    return JSON.readTree(controller.page().resolve(path).toURL().openStream());
  }

  private static TierServer adapter(String tier, long maxBytes) throws Exception {
    return TierServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        new InMemoryTierStore(tier, 0, maxBytes),
        OptionalLong.empty());
  }

  private static void write(String tier, TierServer adapter, String max, String... nodes)
      throws Exception {
    StringBuilder text = new StringBuilder("apiVersion: dynims.io/v1alpha1\nkind: MemoryTier\n");
    text.append("metadata: {name: ").append(tier).append("}\nspec:\n  mode: Recommend\n");
    text.append("  capacity: {max: ").append(max).append("}\n  nodes:\n    list:\n");
    for (String node : nodes) {
      text.append("      - {name: ").append(node);
      text.append(", adapter: \"").append(adapter.uri()).append("\"}\n");
    }
    Files.writeString(policies.resolve(tier + ".yaml"), text);
  }

  /** Decisions of the real law; the first one of n1 is ten minutes old. */
  private static void decide() throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      long now = System.currentTimeMillis();
      send(producer, new TierKey("n1", "alluxio"), 0.5, now - 600_000);
      for (int i = 0; i < 12; i++) {
        long decidedMillis = now + i * 100L;
        send(producer, new TierKey("n1", "alluxio"), 0.91 + i / 150.0, decidedMillis);
        send(producer, new TierKey("n1", "second"), 0.91 + i / 150.0, decidedMillis + 7);
        send(producer, new TierKey("n2", "alluxio"), 0.3333, decidedMillis);
        send(producer, new TierKey("n3", "alluxio"), 0.949, decidedMillis);
      }
    }
  }

  private static void send(
      KafkaProducer<String, byte[]> producer, TierKey key, double utilization, long decidedMillis)
      throws Exception {
    long maxBytes = key.tier().equals("second") ? 5 * GIB : 60 * GIB;
    var law = new FeedbackLaw(new LawParameters(0.95, 0.5, 0, maxBytes));
    long usedBytes = (long) (utilization * 128 * GIB);
    long capacityBytes = Math.min(maxBytes, 20 * GIB);
    var decision =
        law.decide(
            new LawInput(capacityBytes, capacityBytes / 3, usedBytes, 128 * GIB, decidedMillis - 5),
            LawState.NONE);
    Target target = Target.of(key, decision, decision.reason(), decidedMillis - 50, decidedMillis);
    producer
        .send(new ProducerRecord<>(Topics.TARGETS, key.toString(), WireCodec.TARGET.encode(target)))
        .get();
  }
}
