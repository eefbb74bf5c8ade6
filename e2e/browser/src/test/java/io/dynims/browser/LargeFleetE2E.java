package io.dynims.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.FeedbackLaw;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a controller that receives the decisions for 1,000 nodes ten times a second. */
class LargeFleetE2E {

  private static final int NODES = 1_000;
  private static final long TICK_MILLIS = 100;
  private static final int TICKS_PER_SECOND = 10;
  private static final int MEASURED_SECONDS = 8;
  private static final int WARM_UP_SECONDS = 30;
  private static final int ROUNDS = 5;
  private static final double PAGE_GOAL_CORES = 0.5;
  private static final double CONTROLLER_GOAL_CORES = 0.02;

  /** The unit of processor times in /proc/PID/stat on Linux. */
  private static final double CLOCK_TICKS_PER_SECOND = 100.0;

  private static final long GIB = 1L << 30;

  @TempDir private static Path policies;
  private static KafkaBroker kafka;
  private static TierServer adapter;
  private static ControllerProcess controller;
  private static ScheduledExecutorService generator;
  private static final AtomicLong TICKS = new AtomicLong();

  @BeforeAll
  static void start() throws Exception {
    kafka = KafkaBroker.start();
    adapter =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new InMemoryTierStore("alluxio", 0, 60 * GIB),
            GuardSettings.none(),
            TierAccess.anyone());
    writePolicy();
    controller = StaleFleet.controller(kafka, policies, "large-fleet");
    generate();
  }

  @AfterAll
  static void end() throws Exception {
    if (generator != null) {
      generator.shutdownNow();
      generator.awaitTermination(1, TimeUnit.MINUTES);
    }
    if (controller != null) {
      controller.close();
    }
    if (adapter != null) {
      adapter.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  @Test
  void rendersOnlyTheRowsInSight() throws Exception {
    try (Browser browser = openPage()) {
      assertThat(browser.all("#visible tr")).hasSizeLessThan(100);
      browser.run("document.getElementById('rows').scrollTop = 1e9");
      Browser.await().until(() -> browser.text("#visible tr:last-child a").equals("node-" + NODES));
      browser.screenshot("large-fleet");

      browser.run("location.hash = '#/fleet'");
      Browser.await().until(() -> browser.text("#histogram-text").contains("of " + NODES));
      browser.screenshot("large-fleet-sums");
      assertThat(browser.consoleErrors()).isEmpty();
    }
  }

  /**
   * Rounds with and without a page alternate, because a program gets faster as it runs and the
   * machine is not always equally busy.
   */
  @Test
  @Tag("long")
  void staysUpToDateAndReportsItsProcessorTime() throws Exception {
    List<Double> withPage = new ArrayList<>();
    List<Double> withoutPage = new ArrayList<>();
    List<Double> page = new ArrayList<>();
    controllerCores(WARM_UP_SECONDS);
    for (int i = 0; i < ROUNDS; i++) {
      withoutPage.add(controllerCores(MEASURED_SECONDS));
      try (Browser browser = openPage()) {
        double busyBefore = taskSeconds(browser);
        long startNanos = System.nanoTime();
        withPage.add(controllerCores(MEASURED_SECONDS));
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        page.add((taskSeconds(browser) - busyBefore) / seconds);
        assertThat(browser.text("#connection")).isEqualTo("Live");
        assertThat(browser.text("#count")).isEqualTo(NODES + " of " + NODES);
      }
    }

    double cost = mean(withPage) - mean(withoutPage);
    double error = Math.hypot(standardError(withPage), standardError(withoutPage));
    System.out.printf(
        "%d nodes at 10 Hz: the page's main thread uses %.3f of a core; the controller %.3f with"
            + " a page and %.3f without, a difference of %.3f ± %.3f%n",
        NODES, mean(page), mean(withPage), mean(withoutPage), cost, error);
    System.out.printf(
        "the goals of %.2f of a core for the page and %.2f for the controller are %s%n",
        PAGE_GOAL_CORES,
        CONTROLLER_GOAL_CORES,
        mean(page) < PAGE_GOAL_CORES && cost - 2 * error < CONTROLLER_GOAL_CORES
            ? "met"
            : "not met on this machine as busy as it was");
  }

  private static Browser openPage() {
    Browser browser = new Browser();
    // Processor time of the main thread: on a busy machine a task takes longer than it works.
    browser.devTools("Performance.enable", Map.of("timeDomain", "threadTicks"));
    browser.open(controller.address());
    Browser.await().until(() -> browser.text("#count").equals(NODES + " of " + NODES));
    return browser;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(value -> value).average().orElseThrow();
  }

  private static double standardError(List<Double> values) {
    double mean = mean(values);
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / (values.size() - 1) / values.size());
  }

  private static void writePolicy() throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: dynims.io/v1alpha1
            kind: MemoryTier
            metadata: {name: alluxio}
            spec:
              mode: Recommend
              capacity: {max: 60Gi}
              nodes:
                list:
            """);
    for (int node = 1; node <= NODES; node++) {
      text.append("      - {name: node-").append(node);
      text.append(", adapter: \"").append(adapter.uri()).append("\"}\n");
    }
    Files.writeString(policies.resolve("fleet.yaml"), text);
  }

  /** Sends decisions of the real law; the memory in use of each node is a random walk. */
  private static void generate() {
    Random random = new Random(1);
    double[] utilization = random.doubles(NODES, 0.3, 1.0).toArray();
    long[] capacityBytes = random.longs(NODES, 0, 60 * GIB).toArray();
    FeedbackLaw law = new FeedbackLaw(new LawParameters(0.95, 0.5, 0, 60 * GIB));
    var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 5),
            new StringSerializer(),
            new ByteArraySerializer());
    generator = Executors.newSingleThreadScheduledExecutor();
    var unusedFuture =
        generator.scheduleAtFixedRate(
            () -> {
              long now = System.currentTimeMillis();
              for (int i = 0; i < NODES; i++) {
                utilization[i] =
                    Math.max(0.2, Math.min(1, utilization[i] + 0.01 * random.nextGaussian()));
                long usedBytes = (long) (utilization[i] * 128 * GIB);
                var decision =
                    law.decide(
                        new LawInput(capacityBytes[i], capacityBytes[i], usedBytes, 128 * GIB, now),
                        new NodeModel());
                capacityBytes[i] = decision.desiredBytes();
                TierKey key = new TierKey("node-" + (i + 1), "alluxio");
                Target target = Target.of(key, decision, decision.reason(), now, now);
                var unusedSend =
                    producer.send(
                        new ProducerRecord<>(
                            Topics.TARGETS, key.toString(), WireCodec.TARGET.encode(target)));
              }
              TICKS.incrementAndGet();
            },
            0,
            TICK_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private static double taskSeconds(Browser browser) {
    List<?> metrics = (List<?>) browser.devTools("Performance.getMetrics", Map.of()).get("metrics");
    return metrics.stream()
        .map(metric -> (Map<?, ?>) metric)
        .filter(metric -> metric.get("name").equals("TaskDuration"))
        .mapToDouble(metric -> ((Number) metric.get("value")).doubleValue())
        .sum();
  }

  /** The controller's processor time, in cores, while so many seconds' decisions are sent. */
  private static double controllerCores(int seconds) throws IOException {
    long cpuBefore = cpuTicks();
    long startNanos = System.nanoTime();
    long end = TICKS.get() + (long) seconds * TICKS_PER_SECOND;
    Browser.await().until(() -> TICKS.get() >= end);
    double elapsedSeconds = (System.nanoTime() - startNanos) / 1e9;
    return (cpuTicks() - cpuBefore) / CLOCK_TICKS_PER_SECOND / elapsedSeconds;
  }

  private static long cpuTicks() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + controller.pid() + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }
}
