package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Needs;
import io.dynims.testing.ControllerProcess;
import io.dynims.testing.KafkaBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The plugin as a user with only the rights that its README lists. The API server's service proxy
 * refuses addresses in 127.0.0.0/8, so the loopback device gets another one while this runs.
 */
@Tag("long")
class PluginE2E {

  private static final Path PLUGIN = Cluster.PROJECT.resolve("kubectl-dynims/kubectl-dynims");

  // From the range for benchmarks (RFC 2544), which no network uses.
  private static final String ADDRESS = "198.18.0.1";

  private static final String READER =
      """
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: user}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: user}
      rules:
        - {apiGroups: [""], resources: [services], verbs: [list]}
        - {apiGroups: [""], resources: [services/proxy], verbs: [get], resourceNames: ["http:dynims:http"]}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: user}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: user}
      subjects: [{kind: ServiceAccount, name: user}]
      """;

  private static final String PAUSER =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: user}
      rules:
        - {apiGroups: [dynims.io], resources: [memorytiers], verbs: [get, list, patch]}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: user}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: user}
      subjects: [{kind: ServiceAccount, name: user, namespace: %s}]
      """;

  private static final String SERVICE =
      """
      apiVersion: v1
      kind: Service
      metadata:
        name: dynims
        labels: {app.kubernetes.io/name: dynims, app.kubernetes.io/component: controller}
      spec:
        selector: {app.kubernetes.io/component: controller}
        ports: [{name: http, port: 8080, targetPort: %1$d}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: controller, labels: {app.kubernetes.io/component: controller}}
      spec:
        nodeName: %2$s
        containers: [{name: controller, image: dynims-controller, ports: [{containerPort: %1$d}]}]
      """;

  private static final String RUNNING =
      """
      {"status": {"phase": "Running", "podIP": "%1$s", "podIPs": [{"ip": "%1$s"}],
       "conditions": [{"type": "Ready", "status": "True"}]}}
      """;

  private static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: alluxio}
      spec:
        mode: Enforce
        nodes: {selector: {matchLabels: {kubernetes.io/hostname: node-1}}}
        capacity: {max: 4Gi}
      """;

  private static Cluster cluster;
  private static KafkaBroker kafka;
  private static Release release;
  private static ControllerProcess controller;
  private static Path kubeconfig;
  private static String users;
  private static LocalNode node;

  @BeforeAll
  static void start() throws Exception {
    Needs.root("only root can give the loopback device an address");
    cluster = Cluster.shared();
    cluster.nodes(Cluster.NODES);
    kafka = KafkaBroker.start();
    release = Release.install(cluster, "plugin", Release.PLAIN_TIERS);
    release.serveTiers(8L << 30);
    address("replace");
    controller = release.replica("plugin", kafka.bootstrapServers(), ADDRESS);
    // The service of the release leads to fake pods; this one is in another namespace.
    Kubectl others = cluster.newNamespace("users");
    node = LocalNode.join(others, "plugin-1", "dynims.io/plugin: \"true\"");
    others.apply(SERVICE.formatted(controller.address().getPort(), node.name()));
    others.patch("pod", "controller", RUNNING.formatted(ADDRESS), "--subresource=status");
    others.apply(READER);
    users = others.namespace();
    release.kubectl().apply(PAUSER.formatted(users));
    kubeconfig = cluster.kubeconfigOf(users, "user");
    release.kubectl().apply(TIER);
  }

  @AfterAll
  static void end() throws Exception {
    if (controller != null) {
      controller.close();
    }
    if (cluster != null) {
      address("del");
    }
    if (node != null) {
      node.close();
    }
    if (release != null) {
      release.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  private static void address(String how) {
    List<String> command = List.of("ip", "address", how, ADDRESS + "/32", "dev", "lo");
    Ended ended = Ended.run(Map.of(), "", command);
    if (how.equals("replace")) {
      ended.succeeded();
    }
  }

  @Test
  void showsAndExplainsTiers() {
    Cluster.await().untilAsserted(() -> assertThat(plugin("tiers")).contains("node-1"));

    assertThat(plugin("tiers").lines().toList().get(0).split(" {2,}"))
        .startsWith("NODE", "TIER", "MODE", "STATE", "DESIRED");
    assertThat(plugin("explain", "node-1")).containsPattern("Tier: +alluxio").contains("none yet");
    assertThat(ended("explain", "node-9").refused())
        .contains("node 'node-9' has no tier; did you mean node-1?");
  }

  @Test
  void pausesAndResumes() {
    String namespace = release.kubectl().namespace();

    assertThat(plugin("pause", "alluxio", "--namespace", namespace)).contains("paused");
    Cluster.await()
        .until(() -> release.condition("alluxio", "Enforcing").startsWith("False Paused"));
    assertThat(plugin("resume", "alluxio", "--namespace", namespace)).contains("resumed");
    Cluster.await()
        .until(() -> !release.condition("alluxio", "Enforcing").startsWith("False Paused"));
  }

  @Test
  void namesTheMissingRight() {
    release.kubectl().run("delete", "rolebinding", "user");
    try {
      assertThat(ended("pause", "alluxio", "--namespace", release.kubectl().namespace()).refused())
          .contains("cannot get resource \"memorytiers\"");
    } finally {
      release.kubectl().apply(PAUSER.formatted(users));
    }
  }

  private static String plugin(String... arguments) {
    return ended(arguments).succeeded();
  }

  /** By default, searches the controller's service in the user's namespace. */
  private static Ended ended(String... arguments) {
    List<String> command = new ArrayList<>(List.of(PLUGIN.toString()));
    command.addAll(List.of(arguments));
    if (!command.contains("--namespace")) {
      command.addAll(List.of("--namespace", users));
    }
    String path = cluster.program("") + ":" + System.getenv("PATH");
    return Ended.run(Map.of("KUBECONFIG", kubeconfig.toString(), "PATH", path), "", command);
  }
}
