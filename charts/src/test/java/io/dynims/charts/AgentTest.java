package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the operator and the node's worker rely on. */
class AgentTest {

  private final Manifests manifests = new Chart().render();
  private final JsonNode agent = manifests.one("DaemonSet", "-agent");
  private final JsonNode adapter = Manifests.container(agent, "alluxio-adapter");

  @Test
  void isFoundByTheController() {
    JsonNode labels = Manifests.podTemplate(agent).at("/metadata/labels");
    JsonNode controller = manifests.one("Deployment", "-controller");
    String selector =
        Manifests.env(
            Manifests.container(controller, "controller"), "DYNIMS_KUBERNETES_AGENTS_SELECTOR");

    for (String pair : selector.split(",", -1)) {
      String[] keyAndValue = pair.split("=", 2);
      assertThat(labels.path(keyAndValue[0]).asText()).isEqualTo(keyAndValue[1]);
    }
    assertThat(labels.path("dynims.io/store").asText()).isEqualTo("Alluxio");
    assertThat(labels.path("app.kubernetes.io/component").asText()).isEqualTo("agent");
  }

  @Test
  void listensAtThePortTierApi() {
    assertThat(adapter.path("ports")).hasSize(1);
    assertThat(adapter.at("/ports/0/name").asText()).isEqualTo("tier-api");
    assertThat(adapter.at("/ports/0/containerPort").asInt()).isEqualTo(7070);
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_HTTP_ADDRESS")).isEqualTo("0.0.0.0:7070");
  }

  @Test
  void speaksToTheWorkerOfItsOwnNode() {
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_WORKER_ADDRESS"))
        .isEqualTo("$(HOST_IP):29999");
    assertThat(adapter.at("/env/0/name").asText())
        .as("defined before it is used")
        .isEqualTo("HOST_IP");
    assertThat(adapter.at("/env/0/valueFrom/fieldRef/fieldPath").asText())
        .isEqualTo("status.hostIP");
  }

  @Test
  void readsTheWorkersMetricsAtItsWebPort() {
    String variable = "DYNIMS_ADAPTER_WORKER_METRICS_URL";
    JsonNode another =
        new Chart().set("alluxio.workerWebPort", 20001).render().one("DaemonSet", "");
    JsonNode none = new Chart().set("alluxio.workerWebPort", 0).render().one("DaemonSet", "");

    assertThat(Manifests.env(adapter, variable)).isEqualTo("http://{host}:30000/metrics/json/");
    assertThat(Manifests.env(Manifests.container(another, "alluxio-adapter"), variable))
        .isEqualTo("http://{host}:20001/metrics/json/");
    assertThat(Manifests.env(Manifests.container(none, "alluxio-adapter"), variable)).isEmpty();
  }

  @Test
  void sendsSamplesInTheNodesName() {
    JsonNode render = Manifests.container(agent, "render-collectd-conf");

    assertThat(Manifests.texts(render.path("command")))
        .containsSubsequence("--node", "$(NODE_NAME)");
    assertThat(render.at("/env/0/valueFrom/fieldRef/fieldPath").asText())
        .isEqualTo("spec.nodeName");
  }

  @Test
  void reportsByExceptionIfAskedFor() {
    JsonNode asked =
        new Chart().set("agent.collectd.reportByException", true).render().one("DaemonSet", "");

    assertThat(Manifests.texts(Manifests.container(asked, "render-collectd-conf").path("command")))
        .contains("--report-by-exception");
    assertThat(Manifests.texts(Manifests.container(agent, "render-collectd-conf").path("command")))
        .doesNotContain("--report-by-exception");
  }

  @Test
  void guardsTheNodeItRunsOn() {
    assertThat(Manifests.env(adapter, "DYNIMS_NODE_NAME")).isEqualTo("$(NODE_NAME)");
    assertThat(adapter.at("/env/1/name").asText())
        .as("defined before it is used")
        .isEqualTo("NODE_NAME");
    assertThat(adapter.at("/env/1/valueFrom/fieldRef/fieldPath").asText())
        .isEqualTo("spec.nodeName");
  }

  /** Alluxio's own chart and Fluid mount the node's path at the same path in the worker's pod. */
  @Test
  void knowsTheTiersFolderByTheWorkersPathAndItsOwn() {
    assertThat(tierMount(adapter).orElseThrow().path("mountPath").asText()).isEqualTo("/tier");
    assertThat(hostPath(agent)).isEqualTo("/dev/shm");
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_TIER_DIRECTORY"))
        .isEqualTo("/tier/alluxioworker");
    assertThat(workerDirectory(agent)).isEqualTo(hostPath(agent) + "/alluxioworker");

    JsonNode fluid = new Chart().variant("fluid").render().one("DaemonSet", "");
    assertThat(workerDirectory(fluid)).isEqualTo("/dev/shm/default/hbase/alluxioworker");
    JsonNode elsewhere =
        new Chart()
            .set("alluxio.tier.hostPath", "/mnt/ram")
            .set("alluxio.tier.workerDirectory", "/data/alluxioworker")
            .render()
            .one("DaemonSet", "");
    assertThat(hostPath(elsewhere)).isEqualTo("/mnt/ram");
    assertThat(workerDirectory(elsewhere)).isEqualTo("/data/alluxioworker");
  }

  private static String workerDirectory(JsonNode agent) {
    return Manifests.env(
        Manifests.container(agent, "alluxio-adapter"), "DYNIMS_ADAPTER_WORKER_DIRECTORY");
  }

  private static String hostPath(JsonNode agent) {
    return Manifests.stream(Manifests.podSpec(agent).path("volumes"))
        .map(volume -> volume.at("/hostPath/path").asText())
        .filter(path -> !path.isEmpty())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void measuresTheTierWithEverySample() {
    JsonNode render = Manifests.container(agent, "render-collectd-conf");
    JsonNode collectd = Manifests.container(agent, "collectd");

    assertThat(Manifests.texts(render.path("command")))
        .containsSubsequence("--tier", "alluxio", "--tier-directory", "/tier/alluxioworker");
    assertThat(tierMount(collectd)).hasValue(tierMount(adapter).orElseThrow());
    assertThat(tierMount(collectd).orElseThrow().path("readOnly").asBoolean()).isTrue();
  }

  @Test
  void measuresNoTierWithoutAlluxio() {
    JsonNode without = new Chart().set("alluxio.enabled", false).render().one("DaemonSet", "");

    assertThat(
            Manifests.texts(Manifests.container(without, "render-collectd-conf").path("command")))
        .doesNotContain("--tier", "--tier-directory");
    assertThat(tierMount(Manifests.container(without, "collectd"))).isEmpty();
  }

  private static Optional<JsonNode> tierMount(JsonNode container) {
    return Manifests.stream(container.path("volumeMounts"))
        .filter(each -> each.path("name").asText().equals("tier"))
        .findFirst();
  }

  @Test
  void isNeverThereTwiceOnANode() {
    JsonNode update = agent.at("/spec/updateStrategy/rollingUpdate");

    assertThat(update.path("maxSurge").asInt(-1)).isZero();
    assertThat(update.path("maxUnavailable").asInt()).isEqualTo(1);
  }

  @Test
  void theAdapterHasAMemoryLimit() {
    assertThat(adapter.at("/resources/limits/memory").asText()).isEqualTo("192Mi");
  }
}
