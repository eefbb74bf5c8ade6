package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.testing.ControllerProcess;
import io.dynims.testing.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores whose own pods have the adapter, on a real API server. */
@Tag("long")
class SidecarE2E {

  private static final long GIB = 1L << 30;

  private static final String STORE =
      """
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: cache}
      spec:
        serviceName: cache
        replicas: 1
        selector: {matchLabels: {app: cache}}
        template:
          metadata: {labels: {app: cache}}
          spec:
            nodeName: node-2
            containers: [{name: redis, image: redis}]
      """;

  private static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: redis}
      spec:
        mode: Enforce
        store: {type: Redis}
        nodes: {selector: {matchLabels: {kubernetes.io/hostname: node-2}}}
        capacity: {max: 4Gi}
      """;

  private final Cluster cluster = Cluster.shared();
  @AutoClose private Release release;

  @BeforeEach
  void createNodes() {
    cluster.nodes(Cluster.NODES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "memcached"})
  void theApiServerAcceptsTheExampleAndRunsItOncePerNode(String store) throws IOException {
    release = install(store);
    Kubectl kubectl = release.kubectl();
    kubectl.run("label", "nodes", "node-1", "node-2", "dynims.io/" + store + "=true");
    try {
      kubectl.apply(Files.readString(ChartNamespace.CHART.resolve("examples/" + store + ".yaml")));

      Cluster.await().until(() -> readyReplicas(store) == 2);
      assertThat(kubectl.get("pods", "--selector=dynims.io/store").path("items"))
          .extracting(pod -> pod.at("/spec/nodeName").asText())
          .containsExactlyInAnyOrder("node-1", "node-2");
      assertThat(kubectl.names("memorytiers")).containsExactly("memorytier.dynims.io/" + store);
    } finally {
      kubectl.run("label", "nodes", "node-1", "node-2", "dynims.io/" + store + "-");
    }
  }

  @Test
  void aPatchedStoreIsTheTierOfItsNode() throws Exception {
    release = install("redis", Release.PLAIN_TIERS);
    Kubectl kubectl = release.kubectl();
    kubectl.apply(STORE);
    Cluster.await().until(() -> readyReplicas("cache") == 1);
    String patch =
        kubectl.run(
            "get", "configmap", "dynims-redis-sidecar", "--output=jsonpath={.data.patch\\.yaml}");
    kubectl.run("patch", "statefulset", "cache", "--patch=" + patch);
    Cluster.await().until(this::hasAdapter);
    release.serveTiers("redis", 4 * GIB);
    kubectl.apply(TIER);

    try (KafkaBroker kafka = KafkaBroker.start();
        ControllerProcess controller = release.replica("one", kafka.bootstrapServers())) {
      Cluster.await()
          .until(
              () -> release.tier("redis").at("/status/capacity/capacityBytes").asLong() == 4 * GIB);
      assertThat(controller.policy("redis", "node-2").path("maxBytes").asLong()).isEqualTo(4 * GIB);
    }
  }

  private Release install(String store, String... more) {
    String values = "--values=" + ChartNamespace.VALUES.resolve(store + "-values.yaml");
    String[] arguments = new String[more.length + 1];
    System.arraycopy(more, 0, arguments, 1, more.length);
    arguments[0] = values;
    return Release.install(cluster, "sidecar", arguments);
  }

  private int readyReplicas(String set) {
    return release.kubectl().get("statefulset", set).at("/status/readyReplicas").asInt();
  }

  private boolean hasAdapter() {
    return pod().at("/spec/containers").size() == 2
        && pod().at("/status/phase").asText().equals("Running");
  }

  private JsonNode pod() {
    return release.kubectl().get("pods", "--selector=app=cache").at("/items/0");
  }
}
