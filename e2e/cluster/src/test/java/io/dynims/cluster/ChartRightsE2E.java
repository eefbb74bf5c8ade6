package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the chart's service accounts may do, as a real API server judges it. */
@Tag("long")
class ChartRightsE2E {

  private static final String ACCOUNT = "dynims-controller";

  private static final List<String> FORBIDDEN =
      List.of(
          "get secrets",
          "create pods",
          "create pods --subresource=exec",
          "delete pods",
          "update memorytiers",
          "delete memorytiers",
          "update nodes",
          "update leases/other",
          "list memorytiers --namespace=default",
          "list pods --namespace=default",
          "list pods --all-namespaces",
          "create leases --namespace=default",
          "create clusterrolebindings",
          "update customresourcedefinitions");
  private static final List<String> ALLOWED =
      List.of(
          "watch nodes",
          "watch pods",
          "watch memorytiers",
          "patch memorytiers --subresource=status",
          "create events",
          "create leases",
          "update leases/dynims-controller");

  private static Cluster cluster;

  @AutoClose private ChartNamespace chart;
  private Kubectl kubectl;

  @BeforeAll
  static void start() {
    cluster = Cluster.shared();
    cluster.nodes(Cluster.NODES);
  }

  @BeforeEach
  void createNamespace() {
    chart = new ChartNamespace(cluster);
    kubectl = chart.kubectl();
  }

  @Test
  void theControllersAccountHasTheRightsItNeedsAndNoOthers() {
    chart.install();
    Kubectl controller = cluster.kubectlOf(kubectl.namespace(), ACCOUNT);
    kubectl.apply(ChartNamespace.TIER);

    assertThat(controller.names("nodes")).contains("node/node-1");
    assertThat(controller.names("pods")).isNotEmpty();
    controller.patch(
        "mtier", "mine", "{\"status\": {\"mode\": \"Recommend\"}}", "--subresource=status");
    assertThat(kubectl.get("mtier", "mine").at("/status/mode").asText()).isEqualTo("Recommend");
    assertThat(controller.refused("get", "secrets"))
        .contains("system:serviceaccount:" + kubectl.namespace() + ":" + ACCOUNT)
        .contains("cannot list resource \"secrets\"");
    assertThat(FORBIDDEN).allSatisfy(what -> assertThat(mayDo(controller, what)).isFalse());
    assertThat(ALLOWED).allSatisfy(what -> assertThat(mayDo(controller, what)).isTrue());
  }

  private static boolean mayDo(Kubectl kubectl, String what) {
    List<String> arguments = new ArrayList<>(List.of("auth", "can-i", "--quiet"));
    arguments.addAll(Arrays.asList(what.split(" ")));
    return kubectl.succeeds(arguments.toArray(String[]::new));
  }

  @Test
  void otherPodsHaveNoTokenAndTheirAccountHasNoRights() {
    chart.install();

    for (JsonNode pod : kubectl.get("pods").path("items")) {
      boolean isController =
          pod.at("/metadata/labels/app.kubernetes.io~1component").asText().equals("controller");
      assertThat(pod.at("/spec/volumes").findValuesAsText("serviceAccountToken").isEmpty())
          .as(pod.at("/metadata/name").asText())
          .isEqualTo(!isController);
    }
    Kubectl agent = cluster.kubectlOf(kubectl.namespace(), "dynims-agent");
    assertThat(agent.refused("get", "pods")).contains("cannot list resource \"pods\"");
  }
}
