package io.dynims.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.testing.ControllerProcess;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The chart, installed in a namespace of its own. Its pods run nothing; replicas of the controller
 * run on this machine with the rights of the chart's service account, and the Tier API of fake
 * nodes is served here, at the addresses of their agents' pods.
 */
final class Release implements AutoCloseable {

  static final String NAME = "dynims";
  static final String ACCOUNT = "dynims-controller";
  static final String LEASE = "dynims-controller";

  private static final String ADAPTERS = "dynims.io/release=" + NAME;
  private static final Path VALUES = Cluster.PROJECT.resolve("charts/dynims/values.yaml");
  private static final int TIER_PORT = 7070;

  /** An argument of {@link #install}: adapters without TLS, as {@link #serveTiers} serves them. */
  static final String PLAIN_TIERS = "--set=tierApi.tls.enabled=false";

  private final Cluster cluster;
  private final Kubectl kubectl;
  private final List<TierServer> tiers = new ArrayList<>();

  private Release(Cluster cluster, Kubectl kubectl) {
    this.cluster = cluster;
    this.kubectl = kubectl;
  }

  /**
   * Installs the chart and waits until all of its pods are Running.
   *
   * @param like the prefix of the name of the namespace
   * @param more more arguments for helm
   */
  static Release install(Cluster cluster, String like, String... more) {
    cluster.removeDefinition();
    Release release = new Release(cluster, cluster.newNamespace(like));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "install",
                NAME,
                Cluster.PROJECT.resolve("charts/dynims").toString(),
                "--namespace=" + release.kubectl.namespace(),
                "--wait",
                "--timeout=5m"));
    arguments.addAll(List.of(more));
    cluster.helm().run(arguments.toArray(String[]::new));
    return release;
  }

  /** The administrator's kubectl in the namespace of the release. */
  Kubectl kubectl() {
    return kubectl;
  }

  /** A kubeconfig of the controller's service account. */
  Path kubeconfig() {
    return cluster.kubeconfigOf(kubectl.namespace(), ACCOUNT);
  }

  /** The requests of the controller to the API server so far. */
  List<ApiRequest> requests() {
    return cluster.requestsOf(kubectl.namespace(), ACCOUNT);
  }

  /** Serves a tier of this capacity at the address of every agent's pod. */
  void serveTiers(long capacityBytes) {
    serveTiers("alluxio", capacityBytes);
  }

  /** Serves a tier of this name at the address of every pod with an adapter. */
  void serveTiers(String tier, long capacityBytes) {
    for (JsonNode pod : kubectl.get("pods", "--selector=" + ADAPTERS).path("items")) {
      try {
        tiers.add(
            TierServer.start(
                new InetSocketAddress(pod.at("/status/podIP").asText(), TIER_PORT),
                new InMemoryTierStore(tier, 0, capacityBytes),
                GuardSettings.none(),
                TierAccess.anyone()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Starts a replica of the controller with this name in the Lease and waits until it is ready. */
  ControllerProcess replica(String identity, String bootstrapServers) {
    return replica(identity, bootstrapServers, "127.0.0.1");
  }

  /** Starts a replica that listens on another address of this machine. */
  ControllerProcess replica(String identity, String bootstrapServers, String host) {
    return new ControllerProcess.Builder(Cluster.PROJECT, identity)
        .host(host)
        .javaOptions(chartOptions())
        .environment("KUBECONFIG", kubeconfig().toString())
        .setting("kafka.bootstrap.servers", bootstrapServers)
        .setting("kubernetes.enabled", "true")
        .setting("kubernetes.identity", identity)
        .setting("kubernetes.namespace", kubectl.namespace())
        .setting("kubernetes.watch.namespace", kubectl.namespace())
        .setting("kubernetes.lease", LEASE)
        .setting("kubernetes.agents.selector", ADAPTERS)
        .start();
  }

  /** The options that the chart gives to the controller's JVM. */
  private static List<String> chartOptions() {
    try {
      Load yaml = new Load(LoadSettings.builder().build());
      Map<?, ?> values = (Map<?, ?>) yaml.loadFromString(Files.readString(VALUES));
      Map<?, ?> controller = (Map<?, ?>) values.get("controller");
      return List.of(controller.get("javaOptions").toString().strip().split("\\s+", -1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of the leading replica; empty if there was none yet. */
  String holder() {
    return kubectl.succeeds("get", "lease", LEASE)
        ? kubectl.get("lease", LEASE).at("/spec/holderIdentity").asText()
        : "";
  }

  JsonNode tier(String name) {
    return kubectl.get("memorytier", name);
  }

  /**
   * Such as {@code False Conflict: 1 selected nodes ...}; empty if there is no such condition yet.
   */
  String condition(String name, String type) {
    for (JsonNode condition : tier(name).at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return "%s %s: %s"
            .formatted(
                condition.path("status").asText(),
                condition.path("reason").asText(),
                condition.path("message").asText());
      }
    }
    return "";
  }

  /** The events of a MemoryTier, each as {@code TYPE REASON: MESSAGE}. */
  List<String> events(String name) {
    return kubectl.events("MemoryTier", name);
  }

  @Override
  public void close() {
    tiers.forEach(TierServer::close);
    cluster.helm().run("uninstall", NAME, "--namespace=" + kubectl.namespace(), "--wait");
    kubectl.run("delete", "namespace", kubectl.namespace(), "--wait=false");
    cluster.removeDefinition();
  }
}
