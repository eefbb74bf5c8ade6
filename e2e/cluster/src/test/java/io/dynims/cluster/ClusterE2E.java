package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the other tests assume of the cluster. */
@Tag("long")
class ClusterE2E {

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s}
      spec:
        containers:
          - name: c
            image: none
            securityContext: %s
      """;

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.shared();
  }

  @BeforeEach
  void threeNodes() {
    cluster.nodes(Cluster.NODES);
  }

  @Test
  void hasTheExpectedVersionOfKubernetes() {
    JsonNode version = Kubectl.json(cluster.kubectl().run("version", "--output=json"));

    assertThat(version.at("/serverVersion/gitVersion").asText()).isEqualTo("v1.36.3");
    assertThat(version.at("/clientVersion/gitVersion").asText()).isEqualTo("v1.36.3");
  }

  @Test
  void podsOfADeploymentRunOnReadyNodesWithAddressesOfThisMachine() {
    Kubectl kubectl = cluster.newNamespace("deployment");
    kubectl.run("create", "deployment", "web", "--image=none", "--replicas=4");
    kubectl.run("rollout", "status", "deployment/web", "--timeout=180s");

    JsonNode pods = kubectl.get("pods").path("items");
    assertThat(pods).hasSize(4);
    assertThat(pods)
        .allSatisfy(
            pod -> {
              assertThat(pod.at("/status/phase").asText()).isEqualTo("Running");
              assertThat(pod.at("/status/podIP").asText()).startsWith("127.66.");
              assertThat(pod.at("/spec/nodeName").asText()).startsWith("node-");
            });
  }

  @Test
  void everyNodeIsReadyAndHasAnAddressOfItsOwn() {
    JsonNode nodes = cluster.kubectl().get("nodes", "--selector=type=kwok").path("items");

    List<String> addresses = new ArrayList<>();
    for (JsonNode node : nodes) {
      addresses.add(node.at("/status/addresses/0/address").asText());
      assertThat(node.at("/status/conditions"))
          .anySatisfy(
              condition -> {
                assertThat(condition.path("type").asText()).isEqualTo("Ready");
                assertThat(condition.path("status").asText()).isEqualTo("True");
              });
    }
    assertThat(addresses)
        .hasSize(Cluster.NODES)
        .doesNotHaveDuplicates()
        .allMatch(a -> a.startsWith("127.66."));
  }

  @Test
  void refusesAPrivilegedPodInARestrictedNamespace() {
    Kubectl kubectl =
        cluster.newNamespace("restricted", "pod-security.kubernetes.io/enforce=restricted");

    assertThat(kubectl.applyRefused(POD.formatted("p", "{privileged: true}")))
        .contains("violates PodSecurity \"restricted:latest\"", "privileged");
    kubectl.apply(
        POD.formatted(
            "p",
            "{runAsNonRoot: true, allowPrivilegeEscalation: false,"
                + " capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}"));
  }

  @Test
  void addsAndRemovesNodes() {
    cluster.nodes(5, "e2e=scaled");
    assertThat(cluster.kubectl().names("nodes", "--selector=e2e=scaled"))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 5).mapToObj(n -> "node/node-" + n).toList());

    cluster.nodes(1);
    assertThat(cluster.kubectl().names("nodes", "--selector=type=kwok"))
        .containsExactly("node/node-1");
  }

  @Test
  void keepsItsDataIfTheApiServerIsKilledAndRestarted() {
    Kubectl kubectl = cluster.newNamespace("restart");
    kubectl.run("create", "configmap", "kept", "--from-literal=a=b");

    cluster.restart("apiserver");

    assertThat(kubectl.get("configmap", "kept").at("/data/a").asText()).isEqualTo("b");
    kubectl.run("create", "deployment", "after", "--image=none");
    kubectl.run("rollout", "status", "deployment/after", "--timeout=180s");
  }

  @Test
  void aServiceAccountHasTheRightsOfItsRolesAndIsAudited() {
    Kubectl kubectl = cluster.newNamespace("account");
    String namespace = kubectl.namespace();
    kubectl.run("create", "serviceaccount", "reader");
    kubectl.run("create", "role", "reader", "--verb=list", "--resource=pods");
    kubectl.run(
        "create",
        "rolebinding",
        "reader",
        "--role=reader",
        "--serviceaccount=" + namespace + ":reader");
    Kubectl reader = cluster.kubectlOf(namespace, "reader");

    reader.run("get", "pods");
    assertThat(reader.refused("delete", "pods", "x"))
        .contains("system:serviceaccount:" + namespace + ":reader", "cannot delete", "pods");
    assertThat(cluster.requestsOf(namespace, "reader"))
        .anyMatch(r -> r.verb().equals("list") && r.resource().equals("pods") && r.status() == 200)
        .anyMatch(r -> r.isWrite() && r.name().equals("x") && r.status() == 403);
  }

  @Test
  void thisMachineCanBeANodeWithPodsWhoseStatusATestSets() {
    Kubectl kubectl = cluster.newNamespace("local");
    try (LocalNode node = LocalNode.join(kubectl, "this-machine", "dynims.io/tier: \"true\"")) {
      node.agent(URI.create("http://127.0.0.1:7070"));

      JsonNode agent =
          kubectl.get("pods", "--selector=app.kubernetes.io/component=agent").at("/items/0");
      assertThat(agent.at("/status/podIP").asText()).isEqualTo("127.0.0.1");
      assertThat(agent.at("/status/conditions/0/status").asText()).isEqualTo("True");
      assertThat(agent.at("/spec/nodeName").asText()).isEqualTo(node.name());
    }
    assertThat(kubectl.names("pods")).isEmpty();
    assertThat(kubectl.names("nodes")).doesNotContain("node/this-machine");
  }
}
