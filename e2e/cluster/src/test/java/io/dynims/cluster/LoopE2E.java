package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.testing.LocalLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The whole loop with a MemoryTier of a cluster: real collectd, Kafka, Flink, controller, adapter
 * and Alluxio on this machine, which is a node of the cluster.
 */
class LoopE2E {

  private static final String NODE = "hpc-1";
  private static final long MIB = 1L << 20;
  private static final long TIER_MIB = 512;

  private static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: alluxio}
      spec:
        mode: Enforce
        nodes: {selector: {matchLabels: {dynims.io/tier: "true"}}}
        capacity: {max: %dMi}
      """;

  /** No kubelet runs it; it is assigned to the node as by a scheduler. */
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: sort, labels: {dynims.io/hint: 1Ti}}
      spec:
        nodeName: %s
        containers: [{name: sort, image: sort}]
      """
          .formatted(NODE);

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static Release release;
  private static LocalNode node;
  private static LocalLoop loop;

  @BeforeAll
  static void start() throws Exception {
    Cluster cluster = Cluster.shared();
    cluster.nodes(Cluster.NODES);
    release = Release.install(cluster, "loop", "--set", "controller.podHints=true");
    node = LocalNode.join(release.kubectl(), NODE, "dynims.io/tier: \"true\"");
    loop =
        new LocalLoop(
            Cluster.PROJECT,
            Path.of("target", "loop"),
            "node.name=" + NODE,
            "tier.max=" + TIER_MIB + "Mi",
            "kubernetes.config=" + release.kubeconfig(),
            "controller.options=--kubernetes.pods.hints=true",
            "kubernetes.namespace=" + release.kubectl().namespace());
    release
        .kubectl()
        .run(
            "annotate",
            "node",
            NODE,
            "dynims.io/adapter=" + loop.address("adapter.port"),
            "--overwrite");
    loop.up();
  }

  @AfterAll
  static void end() throws Exception {
    if (loop != null) {
      loop.close();
    }
    if (node != null) {
      node.close();
    }
    if (release != null) {
      release.close();
    }
  }

  @Test
  void aMemoryTierResizesTheRealWorkerAndItsStatusIsTrue() throws Exception {
    assertThat(workerUsedBytes()).isZero();

    apply(256);
    awaitThat("the worker had the first capacity", () -> workerMib() == 256);
    awaitThat("the status showed it", () -> statusMib() == 256 && isReady());
    apply(384);
    awaitThat("the worker had the second capacity", () -> workerMib() == 384);
    awaitThat("the status showed it", () -> statusMib() == 384 && isReady());
    assertThat(release.kubectl().run("get", "memorytiers"))
        .containsPattern("alluxio +Enforce +1 +1 +384.0Mi");

    loop.kill("collectd");
    awaitThat("the status reported stale metrics", () -> isLost());
    // Without metrics, the last capacity stays in force.
    assertThat(workerMib()).isEqualTo(384);
    loop.up();
    awaitThat("the status was ready again", () -> isReady());
    assertThat(release.events("alluxio"))
        .contains("Normal ModeChanged: mode is Enforce", "Normal NodesBack: " + NODE)
        .anyMatch(event -> event.startsWith("Warning NodesLost: " + NODE + ": Stale"));

    release.kubectl().run("delete", "memorytier", "alluxio");
    awaitThat("the worker had all of its memory again", () -> workerMib() == TIER_MIB);
    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(release.events("alluxio"))
                    .contains("Normal Released: full capacity restored on " + NODE));
  }

  @Test
  void aPodAnnouncesWhatItIsAboutToTakeAndTheTierMakesRoomUntilItEnds() throws Exception {
    apply(256);
    awaitThat("the worker had its capacity", () -> workerMib() == 256);

    release.kubectl().apply(POD);
    awaitThat("the tier had made room for the pod", () -> workerMib() == 0);
    release.kubectl().run("delete", "pod", "sort", "--force");
    awaitThat("the worker had its capacity again", () -> workerMib() == 256);

    release.kubectl().run("delete", "memorytier", "alluxio");
    awaitThat("the worker had all of its memory again", () -> workerMib() == TIER_MIB);
  }

  private static void apply(int maxMib) {
    release.kubectl().apply(TIER.formatted(maxMib));
  }

  /** Waits for a condition and prints how long that took. */
  private static void awaitThat(String what, BooleanSupplier condition) {
    long beginNanos = System.nanoTime();
    Cluster.await().until(condition::getAsBoolean);
    System.out.printf(
        "%d ms later %s%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos), what);
  }

  /** The capacity of the worker for data, in MiB: everything that is not reserved. */
  private static long workerMib() {
    return TIER_MIB - workerUsedBytes() / MIB;
  }

  private static long workerUsedBytes() {
    URI info = loop.address("alluxio.worker.web.port").resolve("/api/v1/worker/info");
    try {
      String answer =
          HTTP.send(HttpRequest.newBuilder(info).build(), BodyHandlers.ofString()).body();
      return Kubectl.json(answer).at("/capacity/used").asLong(-1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static long statusMib() {
    JsonNode capacity = release.tier("alluxio").at("/status/capacity");
    return capacity.path("capacityBytes").asLong() / MIB;
  }

  private static boolean isReady() {
    return release.condition("alluxio", "Ready").equals("True AllNodes: 1 of 1 nodes")
        && release.condition("alluxio", "Enforcing").startsWith("True AllNodes")
        && release.condition("alluxio", "MetricsFresh").startsWith("True AllNodes");
  }

  private static boolean isLost() {
    return release.condition("alluxio", "MetricsFresh").startsWith("False Stale: " + NODE)
        && release.condition("alluxio", "Ready").startsWith("False NodesNotReady");
  }
}
