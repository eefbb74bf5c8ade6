package io.dynims.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The chart in a namespace of its own, which is new; nothing runs in its pods. */
final class ChartNamespace implements AutoCloseable {

  static final Path CHART = Cluster.PROJECT.resolve("charts/dynims");
  static final Path VALUES = CHART.resolve("ci");

  /** A MemoryTier that the chart's controller would serve. */
  static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: mine}
      spec: {nodes: {selector: {}}, capacity: {max: 60Gi}, mode: Recommend}
      """;

  private static final String RELEASE = "dynims";

  private final Cluster cluster;
  private Kubectl kubectl;

  /** Removes the definition of MemoryTier, which belongs to one release at a time. */
  ChartNamespace(Cluster cluster) {
    this.cluster = cluster;
    cluster.removeDefinition();
    this.kubectl = cluster.newNamespace("chart");
  }

  /** The administrator's kubectl in this namespace. */
  Kubectl kubectl() {
    return kubectl;
  }

  /** Goes on in another namespace, which is new. */
  void move() {
    kubectl = cluster.newNamespace("chart-elsewhere");
  }

  String install(String... more) {
    return installChart(CHART, more);
  }

  String installChart(Path chart, String... more) {
    return helm(with(more, "install", RELEASE, chart.toString(), "--wait", "--timeout=180s"));
  }

  /** Installs the chart and does not wait for its pods. */
  void installWithoutWaiting() {
    helm("install", RELEASE, CHART.toString());
  }

  /** The message with which an installation is refused. */
  String installRefused() {
    return cluster
        .helm()
        .refused("install", RELEASE, CHART.toString(), "--namespace=" + kubectl.namespace());
  }

  void upgrade(String... more) {
    helm(with(more, "upgrade", RELEASE, CHART.toString(), "--wait", "--timeout=180s"));
  }

  String uninstall() {
    return helm("uninstall", RELEASE, "--wait");
  }

  /** How many pods each component has. */
  Map<String, Long> podsByComponent() {
    Map<String, Long> counts = new TreeMap<>();
    for (JsonNode pod : kubectl.get("pods").path("items")) {
      counts.merge(pod.at("/metadata/labels/app.kubernetes.io~1component").asText(), 1L, Long::sum);
    }
    return counts;
  }

  boolean allPodsRun() {
    return StreamSupport.stream(kubectl.get("pods").path("items").spliterator(), false)
        .allMatch(pod -> pod.at("/status/phase").asText().equals("Running"));
  }

  private String helm(String... arguments) {
    return cluster.helm().run(with(arguments, "--namespace=" + kubectl.namespace()));
  }

  private static String[] with(String[] last, String... first) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
  }

  @Override
  public void close() {
    helm("uninstall", RELEASE, "--ignore-not-found", "--wait");
    kubectl.run("delete", "namespace", kubectl.namespace(), "--wait=false");
    cluster.removeDefinition();
  }
}
