package io.dynims.browser;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.law.ControlLaw;
import io.dynims.core.law.Held;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.testing.ControllerProcess;
import io.dynims.testing.KafkaBroker;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.openqa.selenium.WebElement;

/**
 * The page of a controller whose tiers are all stale: nothing changes between reading the page and
 * asking the API. Node n1 has two tiers, n2 and n3 have one. The law of n2 is Forecast.
 */
final class StaleFleet implements AutoCloseable {

  static final long GIB = 1L << 30;
  static final int TIERS = 4;

  private final Path policies;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private KafkaBroker kafka;
  private ControllerProcess controller;
  private Browser browser;

  private StaleFleet(Path policies) {
    this.policies = policies;
  }

  /**
   * Starts everything and returns when the page shows every tier as stale.
   *
   * @param policies an empty folder for the MemoryTier documents
   * @param name the name of the controller's log
   */
  static StaleFleet start(Path policies, String name) throws Exception {
    StaleFleet fleet = new StaleFleet(policies);
    try {
      fleet.open(name);
      return fleet;
    } catch (Exception | AssertionError e) {
      fleet.close();
      throw e;
    }
  }

  private void open(String name) throws Exception {
    kafka = closeLater(KafkaBroker.start());
    write("alluxio", closeLater(adapter("alluxio", 60 * GIB)), "60Gi", "n1", "n2", "n3");
    write("second", closeLater(adapter("second", 7 * GIB)), "5Gi", "n1");
    controller = closeLater(controller(kafka, policies, name));
    browser = closeLater(new Browser());
    browser.open(controller.address());
    Browser.await().until(() -> browser.text("#count").equals(TIERS + " of " + TIERS));
    // Sent while the page is open, so that they arrive on the event stream.
    decide();
    Browser.await().until(() -> browser.all("#visible .state-Stale").size() == TIERS);
  }

  private <T extends AutoCloseable> T closeLater(T part) {
    opened.push(part);
    return part;
  }

  /** A controller with the policies of a folder. */
  static ControllerProcess controller(KafkaBroker kafka, Path policies, String name) {
    return new ControllerProcess.Builder(Path.of("..", ".."), name)
        .javaOptions(List.of("-XX:+UseSerialGC"))
        .setting("kafka.bootstrap.servers", kafka.bootstrapServers())
        .setting("policies.path", policies.toString())
        .setting("page.runbook.url", "https://runbook.example.org/#{state}")
        .setting("page.dashboard.url", "https://dashboard.example.org/?node={node}")
        .start();
  }

  Browser browser() {
    return browser;
  }

  JsonNode tiers() {
    return get("/api/v1/tiers").path("tiers");
  }

  /** An answer of the controller's API. */
  JsonNode get(String path) {
    return controller.get(path);
  }

  /** The entries of a description list on the page, by their labels. */
  Map<String, String> facts(String list) {
    return browser.all(list + " > div").stream()
        .map(WebElement::getText)
        .collect(
            Collectors.toMap(
                text -> text.lines().findFirst().orElse(""),
                text -> text.lines().skip(1).collect(Collectors.joining(" "))));
  }

  /** The cells of the rows that a selector finds. */
  List<List<String>> rows(String selector) {
    @SuppressWarnings("unchecked")
    var found =
        (List<List<String>>)
            browser.run(
                "return [...document.querySelectorAll(arguments[0])]"
                    + ".map(row => [...row.cells].map(cell => cell.innerText.trim()))",
                selector);
    return found;
  }

  @Override
  public void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private static TierServer adapter(String tier, long maxBytes) throws Exception {
    return TierServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        new InMemoryTierStore(tier, 0, maxBytes),
        GuardSettings.none(),
        TierAccess.anyone());
  }

  private void write(String tier, TierServer adapter, String max, String... nodes)
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

  /** Sends decisions of the real law; the first one of n1 is ten minutes old. */
  private void decide() throws Exception {
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
    long usedBytes = (long) (utilization * 128 * GIB);
    long capacityBytes = Math.min(maxBytes, 20 * GIB);
    var input =
        new LawInput(
            capacityBytes,
            capacityBytes,
            Held.of(capacityBytes / 3),
            Held.of(capacityBytes / 3),
            38,
            0,
            usedBytes,
            0,
            128 * GIB,
            0.0123,
            decidedMillis - 5);
    LawType type = key.node().equals("n2") ? LawType.Forecast : LawType.Feedback;
    var parameters = new LawParameters(0.95, type.defaultGain(), 0, maxBytes, type.defaults(100));
    var decision = ControlLaw.of(parameters).decide(input, new NodeModel());
    Target target = Target.of(key, decision, decision.reason(), decidedMillis - 50, decidedMillis);
    producer
        .send(new ProducerRecord<>(Topics.TARGETS, key.toString(), WireCodec.TARGET.encode(target)))
        .get();
  }
}
