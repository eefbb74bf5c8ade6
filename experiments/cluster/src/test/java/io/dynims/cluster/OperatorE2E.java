package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.tier.InMemoryTierStore;
import io.dynims.core.tier.TierServer;
import io.dynims.testing.KafkaBroker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The operator as the chart installs it, on a real control plane: two replicas run on this machine
 * with the rights of the chart's own service account, and what a user would see is looked at. The
 * chart's agents are fake pods, so that each node's Tier API is served here, at the pod's address.
 */
class OperatorE2E {

  private static final String RELEASE = "dynims";
  private static final String ACCOUNT = "dynims-controller";
  private static final String LEASE = "dynims-controller";
  private static final int TIER_PORT = 7070;
  private static final long GIB = 1L << 30;

  private static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: %s}
      spec:
        mode: %s
        nodes: {selector: {matchLabels: {kubernetes.io/hostname: %s}}}
        capacity: {max: %s}
      """;

  private static Cluster cluster;
  private static KafkaBroker kafka;
  private static Kubectl kubectl;
  private static final List<TierServer> TIERS = new ArrayList<>();

  private ControllerProcess leader;
  private ControllerProcess standby;

  @BeforeAll
  static void install() throws Exception {
    cluster = Cluster.shared();
    cluster.nodes(Cluster.NODES);
    kafka = KafkaBroker.start();
    kubectl = cluster.newNamespace("operator");
    cluster
        .helm()
        .run(
            "install",
            RELEASE,
            Cluster.PROJECT.resolve("charts/dynims").toString(),
            "--namespace=" + kubectl.namespace(),
            "--wait",
            "--timeout=3m");
    for (JsonNode pod : agents()) {
      TIERS.add(serve(pod.at("/status/podIP").asText()));
    }
  }

  private static JsonNode agents() {
    return kubectl.get("pods", "--selector=app.kubernetes.io/component=agent").path("items");
  }

  private static TierServer serve(String address) throws IOException {
    return TierServer.start(
        new InetSocketAddress(address, TIER_PORT),
        new InMemoryTierStore("alluxio", 0, 8 * GIB),
        OptionalLong.empty());
  }

  @AfterAll
  static void uninstall() throws Exception {
    TIERS.forEach(TierServer::close);
    if (kubectl != null) {
      cluster.helm().run("uninstall", RELEASE, "--namespace=" + kubectl.namespace(), "--wait");
      kubectl.run("delete", "namespace", kubectl.namespace(), "--wait=false");
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  @BeforeEach
  void start() {
    leader = replica("one");
    Cluster.await().until(() -> holder().equals("one"));
    standby = replica("two");
  }

  private static ControllerProcess replica(String identity) {
    return ControllerProcess.start(
        identity,
        cluster.kubeconfigOf(kubectl.namespace(), ACCOUNT),
        kafka.bootstrapServers(),
        Map.of(
            "kubernetes.namespace",
            kubectl.namespace(),
            "kubernetes.watch.namespace",
            kubectl.namespace(),
            "kubernetes.lease",
            LEASE,
            "kubernetes.agents.selector",
            "app.kubernetes.io/component=agent,app.kubernetes.io/instance=" + RELEASE));
  }

  @AfterEach
  void stop() {
    kubectl.run("delete", "memorytiers", "--all");
    standby.close();
    leader.close();
  }

  @Test
  void aMemoryTierIsTakenByItsNodesAndTellsHowItStands() {
    kubectl.apply(TIER.formatted("taken", "Enforce", "node-1", "2Gi"));

    Cluster.await().until(() -> policy("taken", "node-1").path("maxBytes").asLong() == 2 * GIB);
    Cluster.await()
        .untilAsserted(
            () -> {
              JsonNode status = tier("taken").path("status");
              assertThat(status.path("observedGeneration").asInt()).isEqualTo(1);
              assertThat(status.at("/nodes/total").asInt()).isEqualTo(1);
              assertThat(status.path("mode").asText()).isEqualTo("Enforce");
              assertThat(status.at("/capacity/acknowledgedBytes").asLong()).isEqualTo(8 * GIB);
              assertThat(condition("taken", "Ready")).startsWith("False NodesNotReady: 0 of 1");
              assertThat(condition("taken", "MetricsFresh")).startsWith("Unknown NoMetrics");
            });
    assertThat(kubectl.run("get", "mtier", "taken").lines().toList().get(0))
        .matches("NAME +MODE +NODES +READY +CAPACITY +USED +AGE *");
    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(kubectl.events("MemoryTier", "taken"))
                    .contains("Normal ModeChanged: mode is Enforce", "Normal NodesAdded: node-1"));
  }

  @Test
  void aChangedSpecReachesThePolicyAndAPausedOneSaysSo() {
    kubectl.apply(TIER.formatted("changed", "Enforce", "node-1", "2Gi"));
    Cluster.await().until(() -> policy("changed", "node-1").path("maxBytes").asLong() == 2 * GIB);

    kubectl.patch("memorytier", "changed", "{\"spec\": {\"capacity\": {\"max\": \"3Gi\"}}}");
    Cluster.await().until(() -> policy("changed", "node-1").path("maxBytes").asLong() == 3 * GIB);

    kubectl.run("annotate", "memorytier", "changed", "dynims.io/paused=true");
    Cluster.await()
        .until(() -> policy("changed", "node-1").path("mode").asText().equals("Recommend"));
    Cluster.await().until(() -> condition("changed", "Enforcing").startsWith("False Paused"));
    kubectl.run("annotate", "memorytier", "changed", "dynims.io/paused-");
    Cluster.await()
        .until(() -> policy("changed", "node-1").path("mode").asText().equals("Enforce"));
  }

  @Test
  void theOlderOfTwoHasTheNodeAndTheOtherSaysConflict() {
    kubectl.apply(TIER.formatted("older", "Enforce", "node-2", "2Gi"));
    Cluster.await().until(() -> policy("older", "node-2").path("maxBytes").asLong() == 2 * GIB);

    kubectl.apply(TIER.formatted("younger", "Enforce", "node-2", "3Gi"));
    Cluster.await()
        .until(() -> condition("younger", "Ready").startsWith("False Conflict: 1 selected"));
    assertThat(policy("younger", "node-2").isMissingNode()).isTrue();
    assertThat(kubectl.events("MemoryTier", "younger"))
        .contains(
            "Warning Conflict: taken by an older MemoryTier, "
                + kubectl.namespace()
                + "/older: node-2");

    kubectl.run("delete", "memorytier", "older");
    Cluster.await().until(() -> policy("younger", "node-2").path("maxBytes").asLong() == 3 * GIB);
  }

  @Test
  void aDeletedOneReleasesItsTierAndIsGoneAtOnce() {
    kubectl.apply(TIER.formatted("deleted", "Enforce", "node-3", "2Gi"));
    Cluster.await()
        .until(() -> tier("deleted").at("/status/capacity/acknowledgedBytes").asLong() == 8 * GIB);

    kubectl.run("delete", "memorytier", "deleted", "--timeout=30s");

    Cluster.await().until(() -> policy("deleted", "node-3").isMissingNode());
    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(kubectl.events("MemoryTier", "deleted"))
                    .anyMatch(
                        e -> e.startsWith("Normal Released: ") && e.endsWith("again on node-3")));
  }

  @Test
  void aKilledLeaderIsReplaced() throws Exception {
    kubectl.apply(TIER.formatted("led", "Enforce", "node-1", "2Gi"));
    Cluster.await().until(() -> policy("led", "node-1").path("maxBytes").asLong() == 2 * GIB);

    long killedNanos = System.nanoTime();
    leader.kill();
    Cluster.await().until(() -> standby.log().contains("two is Leader"));
    long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNanos);
    System.out.printf("A standby was the leader %d ms after the leader was killed%n", tookMillis);

    assertThat(holder()).isEqualTo("two");
    kubectl.patch("memorytier", "led", "{\"spec\": {\"capacity\": {\"max\": \"3Gi\"}}}");
    Cluster.await()
        .until(
            () ->
                tier("led").at("/status/observedGeneration").asInt() == 2
                    && standby.get("/api/v1/policies").toString().contains("" + 3 * GIB));
  }

  @Test
  void goesOnWhenTheApiServerWasAway() throws Exception {
    kubectl.apply(TIER.formatted("away", "Enforce", "node-1", "2Gi"));
    Cluster.await().until(() -> policy("away", "node-1").path("maxBytes").asLong() == 2 * GIB);

    cluster.restart("apiserver");

    kubectl.patch("memorytier", "away", "{\"spec\": {\"capacity\": {\"max\": \"3Gi\"}}}");
    Cluster.await().until(() -> policy("away", "node-1").path("maxBytes").asLong() == 3 * GIB);
    Cluster.await().until(() -> tier("away").at("/status/observedGeneration").asInt() == 2);
  }

  @Test
  void asksForNothingThatItsServiceAccountMayNotDo() {
    kubectl.apply(TIER.formatted("modest", "Enforce", "node-1", "2Gi"));
    Cluster.await().until(() -> tier("modest").at("/status/nodes/total").asInt() == 1);

    List<ApiRequest> requests = cluster.requestsOf(kubectl.namespace(), ACCOUNT);

    assertThat(requests).anyMatch(r -> r.resource().startsWith("memorytiers"));
    assertThat(requests).noneMatch(request -> request.status() == 403);
  }

  /** The policy in force of a tier on a node; missing if there is none. */
  private JsonNode policy(String tier, String node) {
    try {
      for (JsonNode policy : standby.get("/api/v1/policies").path("policies")) {
        if (policy.path("tier").asText().equals(tier)
            && policy.path("node").asText().equals(node)) {
          return policy;
        }
      }
      return Kubectl.json("{}").path("none");
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode tier(String name) {
    return kubectl.get("memorytier", name);
  }

  /** Such as {@code False Conflict: 1 selected nodes ...}; empty as long as there is none. */
  private static String condition(String name, String type) {
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

  private static String holder() {
    return kubectl.succeeds("get", "lease", LEASE)
        ? kubectl.get("lease", LEASE).at("/spec/holderIdentity").asText()
        : "";
  }
}
