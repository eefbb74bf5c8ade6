package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.testing.ControllerProcess;
import io.dynims.testing.KafkaBroker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two replicas of the operator on a real control plane, as a user sees them. */
@Tag("long")
class OperatorE2E {

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
  private static Release release;
  private static Kubectl kubectl;

  private ControllerProcess leader;
  private ControllerProcess standby;

  @BeforeAll
  static void install() throws Exception {
    cluster = Cluster.shared();
    cluster.nodes(Cluster.NODES);
    kafka = KafkaBroker.start();
    release = Release.install(cluster, "operator", Release.PLAIN_TIERS);
    release.serveTiers(8 * GIB);
    kubectl = release.kubectl();
  }

  @AfterAll
  static void uninstall() throws Exception {
    if (release != null) {
      release.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  @BeforeEach
  void start() {
    leader = release.replica("one", kafka.bootstrapServers());
    Cluster.await().until(() -> release.holder().equals("one"));
    standby = release.replica("two", kafka.bootstrapServers());
  }

  @AfterEach
  void stop() {
    try {
      kubectl.run("delete", "memorytiers", "--all");
    } finally {
      if (standby != null) {
        standby.close();
      }
      if (leader != null) {
        leader.close();
      }
    }
  }

  @Test
  void aMemoryTierReachesItsNodesAndReportsItsStatus() {
    kubectl.apply(TIER.formatted("taken", "Enforce", "node-1", "2Gi"));

    Cluster.await().until(() -> policy("taken", "node-1").path("maxBytes").asLong() == 2 * GIB);
    Cluster.await()
        .untilAsserted(
            () -> {
              JsonNode status = release.tier("taken").path("status");
              assertThat(status.path("observedGeneration").asInt()).isEqualTo(1);
              assertThat(status.at("/nodes/total").asInt()).isEqualTo(1);
              assertThat(status.path("mode").asText()).isEqualTo("Enforce");
              assertThat(status.at("/capacity/capacityBytes").asLong()).isEqualTo(8 * GIB);
              assertThat(release.condition("taken", "Ready"))
                  .startsWith("False NodesNotReady: 0 of 1");
              assertThat(release.condition("taken", "MetricsFresh"))
                  .startsWith("Unknown NoMetrics");
            });
    assertThat(kubectl.run("get", "mtier", "taken").lines().toList().get(0))
        .matches("NAME +MODE +NODES +READY +CAPACITY +USED +AGE *");
    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(release.events("taken"))
                    .contains("Normal ModeChanged: mode is Enforce", "Normal NodesAdded: node-1"));
  }

  @Test
  void aChangedSpecReachesThePolicyAndAPauseShowsInTheStatus() {
    kubectl.apply(TIER.formatted("changed", "Enforce", "node-1", "2Gi"));
    Cluster.await().until(() -> policy("changed", "node-1").path("maxBytes").asLong() == 2 * GIB);

    kubectl.patch("memorytier", "changed", "{\"spec\": {\"capacity\": {\"max\": \"3Gi\"}}}");
    Cluster.await().until(() -> policy("changed", "node-1").path("maxBytes").asLong() == 3 * GIB);

    kubectl.run("annotate", "memorytier", "changed", "dynims.io/paused=true");
    Cluster.await()
        .until(() -> policy("changed", "node-1").path("mode").asText().equals("Recommend"));
    Cluster.await()
        .until(() -> release.condition("changed", "Enforcing").startsWith("False Paused"));
    kubectl.run("annotate", "memorytier", "changed", "dynims.io/paused-");
    Cluster.await()
        .until(() -> policy("changed", "node-1").path("mode").asText().equals("Enforce"));
  }

  @Test
  void theOlderOfTwoKeepsTheNodeAndTheOtherReportsAConflict() {
    kubectl.apply(TIER.formatted("older", "Enforce", "node-2", "2Gi"));
    Cluster.await().until(() -> policy("older", "node-2").path("maxBytes").asLong() == 2 * GIB);

    kubectl.apply(TIER.formatted("younger", "Enforce", "node-2", "3Gi"));
    Cluster.await()
        .until(
            () -> release.condition("younger", "Ready").startsWith("False Conflict: 1 selected"));
    assertThat(policy("younger", "node-2").isMissingNode()).isTrue();
    assertThat(release.events("younger"))
        .contains(
            "Warning Conflict: controlled by an older MemoryTier, "
                + kubectl.namespace()
                + "/older: node-2");

    kubectl.run("delete", "memorytier", "older");
    Cluster.await().until(() -> policy("younger", "node-2").path("maxBytes").asLong() == 3 * GIB);
  }

  @Test
  void aDeletedMemoryTierReleasesItsNodesAndIsGoneAtOnce() {
    kubectl.apply(TIER.formatted("deleted", "Enforce", "node-3", "2Gi"));
    Cluster.await()
        .until(
            () -> release.tier("deleted").at("/status/capacity/capacityBytes").asLong() == 8 * GIB);

    kubectl.run("delete", "memorytier", "deleted", "--timeout=30s");

    Cluster.await().until(() -> policy("deleted", "node-3").isMissingNode());
    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(release.events("deleted"))
                    .contains("Normal Released: full capacity restored on node-3"));
  }

  @Test
  void aRefusedSpecIsExplainedAndTheLastGoodOneStaysInForce() {
    kubectl.apply(TIER.formatted("refused", "Enforce", "node-1", "2Gi"));
    Cluster.await().until(() -> policy("refused", "node-1").path("maxBytes").asLong() == 2 * GIB);
    String why = "spec.capacity.max: is below spec.capacity.min";

    // That 50% is more than 1Gi is only known together with the memory.
    kubectl.patch(
        "memorytier",
        "refused",
        "{\"spec\": {\"capacity\": {\"min\": \"50%\", \"max\": \"1Gi\"}, \"memory\": {\"total\": \"8Gi\"}}}");

    Cluster.await()
        .until(
            () ->
                release
                    .condition("refused", "Ready")
                    .equals("False SpecRefused: " + why + "; the last valid spec stays in effect"));
    assertThat(release.events("refused")).contains("Warning SpecRefused: " + why);
    assertThat(policy("refused", "node-1").path("maxBytes").asLong()).isEqualTo(2 * GIB);

    kubectl.patch(
        "memorytier", "refused", "{\"spec\": {\"capacity\": {\"min\": 0, \"max\": \"3Gi\"}}}");
    Cluster.await().until(() -> policy("refused", "node-1").path("maxBytes").asLong() == 3 * GIB);
    Cluster.await().until(() -> release.condition("refused", "Ready").contains("NodesNotReady"));
  }

  @Test
  void updatesItsNodesAsTheyAreAddedAndRemoved() {
    kubectl.apply(
        TIER.replace("kubernetes.io/hostname: %s", "pool: grows")
            .formatted("grows", "Enforce", "2Gi"));
    Cluster.await().until(() -> release.condition("grows", "Ready").startsWith("False NoNodes"));

    kubectl.run("label", "node", "node-1", "node-2", "pool=grows");
    Cluster.await().until(() -> !policy("grows", "node-2").isMissingNode());
    Cluster.await().until(() -> nodes("grows") == 2);
    cluster.nodes(Cluster.NODES + 1);
    kubectl.run("label", "node", "node-4", "pool=grows");
    Cluster.await().until(() -> nodes("grows") == 3);
    cluster.nodes(Cluster.NODES);
    Cluster.await().until(() -> policy("grows", "node-4").isMissingNode());
    Cluster.await().until(() -> nodes("grows") == 2);
    kubectl.run("label", "node", "node-1", "node-2", "pool-");
    Cluster.await().until(() -> nodes("grows") == 0);
    assertThat(release.events("grows"))
        .contains("Normal NodesAdded: node-4", "Normal NodesRemoved: node-4");
  }

  private static int nodes(String tier) {
    return release.tier(tier).at("/status/nodes/total").asInt(-1);
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

    assertThat(release.holder()).isEqualTo("two");
    kubectl.patch("memorytier", "led", "{\"spec\": {\"capacity\": {\"max\": \"3Gi\"}}}");
    Cluster.await()
        .until(
            () ->
                release.tier("led").at("/status/observedGeneration").asInt() == 2
                    && standby.get("/api/v1/policies").toString().contains("" + 3 * GIB));
  }

  @Test
  void continuesAfterARestartOfTheApiServer() throws Exception {
    kubectl.apply(TIER.formatted("away", "Enforce", "node-1", "2Gi"));
    Cluster.await().until(() -> policy("away", "node-1").path("maxBytes").asLong() == 2 * GIB);

    cluster.restart("apiserver");

    kubectl.patch("memorytier", "away", "{\"spec\": {\"capacity\": {\"max\": \"3Gi\"}}}");
    Cluster.await().until(() -> policy("away", "node-1").path("maxBytes").asLong() == 3 * GIB);
    Cluster.await().until(() -> release.tier("away").at("/status/observedGeneration").asInt() == 2);
  }

  @Test
  void makesNoRequestThatItsServiceAccountMayNotMake() {
    kubectl.apply(TIER.formatted("modest", "Enforce", "node-1", "2Gi"));
    Cluster.await().until(() -> release.tier("modest").at("/status/nodes/total").asInt() == 1);

    List<ApiRequest> requests = release.requests();

    assertThat(requests).anyMatch(r -> r.resource().startsWith("memorytiers"));
    assertThat(requests).noneMatch(request -> request.status() == 403);
  }

  private JsonNode policy(String tier, String node) {
    return standby.policy(tier, node);
  }
}
