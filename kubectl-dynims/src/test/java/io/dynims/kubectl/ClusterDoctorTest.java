package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynims.kubectl.Plugin.Ended;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each mistake in a cluster is found by the check that is there for it, and by no other. */
class ClusterDoctorTest {

  @TempDir private Path folder;
  private Plugin plugin;
  private SampleCluster cluster;

  /** Makes a healthy installation an unhealthy one. */
  private interface Mistake {
    void make(SampleCluster cluster) throws Exception;
  }

  private record Planted(String check, String verdict, String seen, Mistake mistake) {
    @Override
    public String toString() {
      return check + ": " + seen;
    }
  }

  static List<Planted> mistakes() {
    List<Planted> all = new ArrayList<>();
    all.addAll(ofResources());
    all.addAll(ofController());
    all.addAll(ofPods());
    all.addAll(ofMemory());
    return all;
  }

  private static List<Planted> ofResources() {
    return List.of(
        new Planted(
            "crd",
            "error",
            "not as v1alpha1",
            c ->
                ((ObjectNode) c.answers.get(SampleCluster.CRD).at("/spec/versions/0"))
                    .put("name", "v1")),
        new Planted(
            "crd",
            "warning",
            "drops new fields",
            c ->
                ((ObjectNode)
                        c.answers
                            .get(SampleCluster.CRD)
                            .at(
                                "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"))
                    .removeAll()),
        new Planted(
            "memorytiers",
            "error",
            "d/alluxio: SpecRefused: spec.law.gain: 3 is above 2",
            c -> refuse(c, "SpecRefused", "spec.law.gain: 3 is above 2")),
        new Planted(
            "memorytiers",
            "error",
            "d/alluxio: Conflict: node n1 is claimed by d/other",
            c -> refuse(c, "Conflict", "node n1 is claimed by d/other")),
        new Planted(
            "memorytiers",
            "warning",
            "NodesNotReady",
            c -> refuse(c, "NodesNotReady", "0 of 1 nodes")),
        new Planted(
            "memorytiers-observed",
            "warning",
            "has not seen the last change of d/alluxio",
            c ->
                ((ObjectNode) c.first(SampleCluster.TIERS).path("metadata")).put("generation", 3)));
  }

  private static void refuse(SampleCluster cluster, String reason, String message) {
    ((ObjectNode) cluster.conditions().get(0))
        .put("status", "False")
        .put("reason", reason)
        .put("message", message);
  }

  private static List<Planted> ofController() {
    return List.of(
        new Planted(
            "leader",
            "error",
            "c-1 has not renewed its Lease for",
            c -> c.renewed(Instant.now().minus(Duration.ofHours(2)))),
        new Planted(
            "leader",
            "error",
            "no replica of the controller ever led",
            c ->
                c.failures.put(
                    SampleCluster.LEASE,
                    "Error from server (NotFound): leases.coordination.k8s.io \"c\" not found")),
        new Planted(
            "policies",
            "error",
            "refused: d/alluxio spec.nodes: is empty",
            c ->
                c.put(
                    SampleCluster.PROXY + "/api/v1/policies",
                    "{'errors': [{'document': 'd/alluxio', 'field': 'spec.nodes', 'reason': 'is"
                        + " empty'}]}")),
        new Planted(
            "policies",
            "warning",
            "n1/alluxio: spec.capacity.max is too much",
            c ->
                c.put(
                    SampleCluster.PROXY + "/api/v1/policies",
                    "{'warnings': [{'node': 'n1', 'tier': 'alluxio', 'reason': 'spec.capacity.max is"
                        + " too much'}]}")),
        new Planted(
            "tiers",
            "error",
            "n1/alluxio: Unreachable HTTP 401",
            c ->
                c.put(
                    SampleCluster.PROXY + "/api/v1/tiers",
                    "{'tiers': [{'node': 'n1', 'tier': 'alluxio', 'state': 'Unreachable',"
                        + " 'stateReason': 'HTTP 401'}]}")));
  }

  private static List<Planted> ofPods() {
    return List.of(
        new Planted(
            "agent-pods",
            "error",
            "d/agent-1: collectd CrashLoopBackOff",
            c ->
                c.containerStatus(SampleCluster.AGENTS)
                    .put("ready", false)
                    .putObject("state")
                    .putObject("waiting")
                    .put("reason", "CrashLoopBackOff")),
        new Planted(
            "agent-pods",
            "warning",
            "d/agent-1: collectd restarted 7 times, last OOMKilled",
            c ->
                c.containerStatus(SampleCluster.AGENTS)
                    .put("restartCount", 7)
                    .putObject("lastState")
                    .putObject("terminated")
                    .put("reason", "OOMKilled")),
        new Planted(
            "controller-pods",
            "error",
            "d/c-1: controller is not ready",
            c -> c.containerStatus(SampleCluster.CONTROLLERS).put("ready", false)),
        new Planted(
            "secrets",
            "error",
            "missing: d/tier-token, of pod d/c-1",
            c ->
                c.failures.put(
                    SampleCluster.SECRET,
                    "Error from server (NotFound): secrets \"tier-token\" not found")),
        new Planted(
            "images",
            "warning",
            "0.9: dynims-controller; 1.0: dynims-agent, dynims-alluxio-adapter",
            c ->
                c.container(SampleCluster.CONTROLLERS)
                    .put("image", "r:5000/dynims-controller:0.9")),
        new Planted(
            "priority",
            "warning",
            "are evicted as jobs are: d/agent-1",
            c -> ((ObjectNode) c.first(SampleCluster.AGENTS).path("spec")).put("priority", 0)),
        new Planted(
            "requests",
            "warning",
            "ended first: d/worker-1",
            c ->
                ((ObjectNode) c.first(SampleCluster.WORKERS).path("status"))
                    .put("qosClass", "BestEffort")));
  }

  private static List<Planted> ofMemory() {
    return List.of(
        new Planted(
            "eviction",
            "error",
            "the threshold is 95.0%, but n1 evicts pods at 90.0%",
            c -> evictAt(c, "10%")),
        new Planted("eviction", "warning", "n1 evicts pods at 95.5%", c -> evictAt(c, "4.5%")),
        new Planted(
            "store-limits",
            "error",
            "d/worker-1 is limited to 2.0Gi of memory, its tier to 4.0Gi",
            c ->
                c.container(SampleCluster.WORKERS)
                    .putObject("resources")
                    .putObject("limits")
                    .put("memory", "2Gi")),
        new Planted(
            "store-limits",
            "error",
            "d/worker-1 has 1.0Gi in its emptyDir mem, its tier 4.0Gi",
            c ->
                ((ObjectNode) c.first(SampleCluster.WORKERS).at("/spec/volumes/1/emptyDir"))
                    .put("sizeLimit", "1Gi")),
        new Planted(
            "machines",
            "warning",
            "n1, n2 are one machine of 8.0Gi, and each takes all of it for its own: d/alluxio",
            ClusterDoctorTest::runTwoNodesOnOneMachine));
  }

  /** As kind and minikube do: the nodes are containers. */
  private static void runTwoNodesOnOneMachine(SampleCluster cluster) throws Exception {
    String node =
        "{'metadata': {'name': '%s'}, 'status': {'capacity': {'memory': '8Gi'}, 'nodeInfo':"
            + " {'bootID': 'b'}}}";
    cluster.put(
        SampleCluster.NODES,
        "{'items': [" + node.formatted("n1") + "," + node.formatted("n2") + "]}");
    ((ObjectNode) cluster.answers.get(SampleCluster.AGENTS).at("/items/1/spec"))
        .put("nodeName", "n2");
    cluster.answers.put(
        SampleCluster.KUBELET.replace("n1", "n2"), cluster.answers.get(SampleCluster.KUBELET));
  }

  @Test
  void nodesOfOneMachineMayLeaveSomeOfItsMemory() throws Exception {
    runTwoNodesOnOneMachine(cluster);
    ((ObjectNode) cluster.first(SampleCluster.TIERS).path("spec"))
        .putObject("memory")
        .put("total", "6Gi");

    assertThat(of(examine(0), "error", "warning")).isEmpty();
  }

  private static void evictAt(SampleCluster cluster, String available) throws Exception {
    cluster.put(
        SampleCluster.KUBELET,
        "{'kubeletconfig': {'evictionHard': {'memory.available': '%s'}}}".formatted(available));
  }

  @BeforeEach
  void start() throws Exception {
    plugin = new Plugin(folder);
    cluster = new SampleCluster();
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsFoundByItsCheckAndByNoOther(Planted planted) throws Exception {
    planted.mistake.make(cluster);
    JsonNode report = examine(planted.verdict.equals("error") ? 1 : 0);
    List<JsonNode> found = of(report, "error", "warning");

    assertThat(found).as(report.toPrettyString()).hasSize(1);
    assertThat(found.get(0).get("name").asText()).isEqualTo(planted.check);
    assertThat(found.get(0).get("verdict").asText()).isEqualTo(planted.verdict);
    assertThat(found.get(0).get("seen").asText()).contains(planted.seen);
    assertThat(found.get(0).get("remedy").asText()).isNotBlank();
    assertThat(report.get("passed").asBoolean()).isEqualTo(planted.verdict.equals("warning"));
  }

  @Test
  void aHealthyInstallationHasNoFindingsAndNothingIsSkipped() throws Exception {
    JsonNode report = examine(0);

    assertThat(of(report, "error", "warning", "skipped")).as(report.toPrettyString()).isEmpty();
    assertThat(of(report, "ok")).hasSize(17);
  }

  @Test
  void noSecretIsRead() throws Exception {
    examine(0);

    assertThat(plugin.calls())
        .filteredOn(call -> call.contains("secret"))
        .containsExactly("get secret tier-token --namespace=d --no-headers");
  }

  @Test
  void theOtherChecksGoOnWhileTheControllerIsAway() throws Exception {
    cluster.failures.put(
        SampleCluster.PROXY,
        "Error from server (ServiceUnavailable): no endpoints available for service \"c\"");
    evictAt(cluster, "10%");
    JsonNode report = examine(1);

    assertThat(of(report, "error").stream().map(each -> each.get("name").asText()))
        .containsExactly("controller", "eviction");
    assertThat(of(report, "skipped").stream().map(each -> each.get("name").asText()))
        .containsExactly("policies", "tiers");
  }

  @Test
  void whatTheUserMayNotSeeIsSkippedAndTold() throws Exception {
    cluster.failures.put(
        SampleCluster.KUBELET, "Error from server (Forbidden): nodes \"n1\" is forbidden");
    List<JsonNode> skipped = of(examine(0), "skipped");

    assertThat(skipped).hasSize(1);
    assertThat(skipped.get(0).get("name").asText()).isEqualTo("eviction");
    assertThat(skipped.get(0).get("seen").asText()).isEqualTo("nodes \"n1\" is forbidden");
  }

  @Test
  void aClusterThatDoesNotAnswerIsAskedOnce() throws Exception {
    plugin.kubectl("*) no 'The connection to the server h:6443 was refused' ;;");
    Ended ended = plugin.run("doctor");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out().lines().findFirst().orElseThrow())
        .matches("error +cluster +The connection to the server h:6443 was refused");
    assertThat(ended.out()).contains("mend: ").contains("1 errors, 16 skipped");
    assertThat(plugin.calls()).containsExactly("get --raw /version");
  }

  @Test
  void anEmptyClusterIsToldWhatIsMissing() throws Exception {
    cluster.failures.put(
        SampleCluster.CRD,
        "Error from server (NotFound): customresourcedefinitions.apiextensions.k8s.io"
            + " \"memorytiers.dynims.io\" not found");
    cluster.failures.put(
        SampleCluster.TIERS, "error: the server does not have a resource type \"memorytiers\"");
    cluster.put(SampleCluster.CONTROLLERS, "{'items': []}");
    cluster.put(SampleCluster.AGENTS, "{'items': []}");
    cluster.put(SampleCluster.SERVICES, "{'items': []}");
    cluster.install(plugin, folder);
    Ended ended = plugin.run("doctor");

    assertThat(ended.out())
        .contains("this cluster has no MemoryTier resources")
        .contains("there is no pod of controller")
        .contains("is DynIMS installed?");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err()).isEmpty();
  }

  private JsonNode examine(int exitCode) throws Exception {
    cluster.install(plugin, folder);
    Ended ended = plugin.run("doctor", "-o", "json");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.exitCode()).as(ended.out()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(ended.out());
  }

  private static List<JsonNode> of(JsonNode report, String... verdicts) {
    List<JsonNode> all = new ArrayList<>();
    for (JsonNode each : report.get("checks")) {
      if (List.of(verdicts).contains(each.get("verdict").asText())) {
        all.add(each);
      }
    }
    return all;
  }
}
