package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart in the hands of Helm and a real API server: install, upgrade, uninstall. */
@Tag("long")
class ChartE2E {

  private static final String CRD = "customresourcedefinition.apiextensions.k8s.io/";

  private static Cluster cluster;

  @TempDir Path scratch;
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
  void allPodsRunAfterTheInstall() {
    String notes = chart.install();

    assertThat(notes).contains("kubectl get memorytiers --namespace " + kubectl.namespace());
    assertThat(chart.podsByComponent())
        .containsEntry("agent", (long) Cluster.NODES)
        .containsEntry("controller", 2L)
        .containsEntry("flink-jobmanager", 1L)
        .containsEntry("flink-taskmanager", 1L)
        .containsEntry("kafka", 1L)
        .hasSize(5);
    assertThat(chart.allPodsRun()).isTrue();
    // The first command of the notes.
    kubectl.apply(notes.substring(notes.indexOf("apiVersion:"), notes.indexOf("END\n\n")));
    assertThat(kubectl.run("get", "memorytiers")).contains("alluxio");
  }

  @ParameterizedTest
  @ValueSource(strings = {"external-flink", "big-cluster", "gke", "all-namespaces", "openshift"})
  void theApiServerAcceptsTheVariant(String variant) {
    chart.install("--values=" + ChartNamespace.VALUES.resolve(variant + "-values.yaml"));

    assertThat(chart.allPodsRun()).isTrue();
  }

  @Test
  void anUpgradeReplacesOnlyWhatChanges() {
    chart.install();
    kubectl.apply(ChartNamespace.TIER);
    List<String> before = kubectl.names("pods");
    String secrets = secrets();
    assertThat(secrets).contains("tls.crt", "tls.key");

    chart.upgrade();
    assertThat(kubectl.names("pods")).containsExactlyInAnyOrderElementsOf(before);
    assertThat(secrets()).as("the certificates").isEqualTo(secrets);

    chart.upgrade("--set=controller.replicas=3");
    assertThat(kubectl.names("pods")).containsAll(before).hasSize(before.size() + 1);

    chart.upgrade("--set-json=agent.collectd.interval=0.5");
    assertThat(kubectl.names("pods"))
        .as("pods other than agents stay, though there is one controller less again")
        .filteredOn(pod -> !pod.contains("agent"))
        .hasSize(5)
        .containsAnyElementsOf(before);
    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(kubectl.names("pods", "--selector=app.kubernetes.io/component=agent"))
                    .hasSize(Cluster.NODES)
                    .doesNotContainAnyElementsOf(before));
    assertThat(kubectl.names("mtier")).containsExactly("memorytier.dynims.io/mine");
  }

  @Test
  void anUpgradeKeepsTheTokenOfAdaptersWithoutTls() {
    chart.install("--set=tierApi.tls.enabled=false");
    String secrets = secrets();
    assertThat(secrets).contains("\"token\"");

    chart.upgrade("--set=tierApi.tls.enabled=false");

    assertThat(secrets()).isEqualTo(secrets);
  }

  /** What the chart has made, without Helm's own. */
  private String secrets() {
    return kubectl.run(
        "get",
        "secrets",
        "--field-selector=type!=helm.sh/release.v1",
        "--output=jsonpath={.items[*].data}");
  }

  @Test
  void anUpgradeUpgradesTheDefinition() throws IOException {
    Path old = copyOfChart();
    Path definition = old.resolve("files/memorytiers.dynims.io.yaml");
    String text = Files.readString(definition);
    String today = "\"Enforce: decide and resize the tiers.";
    assertThat(text).contains(today);
    Files.writeString(definition, text.replace(today, "\"In those days."));
    chart.installChart(old);
    kubectl.apply(ChartNamespace.TIER);
    assertThat(definitionOfMode()).startsWith("In those days.");

    chart.upgrade();

    assertThat(definitionOfMode()).startsWith("Enforce: decide and resize the tiers.");
    assertThat(kubectl.names("mtier")).containsExactly("memorytier.dynims.io/mine");
  }

  @Test
  void anUninstallLeavesTheDefinitionAndMemoryTiersAndNothingElse() {
    List<String> before = everything();
    chart.install();
    kubectl.apply(ChartNamespace.TIER);
    assertThat(everything().size()).isGreaterThan(before.size() + 20);

    assertThat(chart.uninstall()).contains("[CustomResourceDefinition] memorytiers.dynims.io");

    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(everything())
                    .filteredOn(name -> !before.contains(name))
                    .containsExactlyInAnyOrder(
                        CRD + "memorytiers.dynims.io", "memorytier.dynims.io/mine"));
    // The definition is no obstacle for the next installation.
    chart.install();
  }

  @Test
  void aReleaseElsewhereTakesOwnershipOfTheDefinitionOrLeavesItAlone() {
    chart.install();
    chart.uninstall();
    chart.move();

    assertThat(chart.installRefused())
        .contains("memorytiers.dynims.io", "cannot be imported into the current release");
    chart.install("--set=crds.install=false");
    chart.uninstall();
    chart.install("--take-ownership");
  }

  @Test
  void aRestrictedNamespaceRefusesOnlyTheAgentsFolderOfTheNode() {
    kubectl.run(
        "label", "namespace", kubectl.namespace(), "pod-security.kubernetes.io/enforce=restricted");

    chart.installWithoutWaiting();

    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(kubectl.events("DaemonSet", "dynims-agent"))
                    .anySatisfy(
                        event ->
                            assertThat(event)
                                .startsWith("Warning FailedCreate:")
                                .contains("violates PodSecurity \"restricted:latest\"")
                                .contains("restricted volume types (volume \"tier\"")
                                .doesNotContain("securityContext")));
    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(chart.podsByComponent().keySet())
                    .containsExactly(
                        "controller", "flink-jobmanager", "flink-taskmanager", "kafka"));

    chart.upgrade("--values=" + ChartNamespace.VALUES.resolve("restricted-values.yaml"));
    assertThat(chart.podsByComponent()).containsEntry("agent", (long) Cluster.NODES);
  }

  private String definitionOfMode() {
    String description =
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/mode/description";
    return kubectl.get("crd", "memorytiers.dynims.io").at(description).asText();
  }

  /** Names of all objects of the namespace and of the cluster, except those that are only views. */
  private List<String> everything() {
    List<String> found = new ArrayList<>();
    for (boolean namespaced : List.of(true, false)) {
      String kinds =
          String.join(
              ",",
              kubectl
                  .run(
                      "api-resources",
                      "--verbs=list",
                      "--output=name",
                      "--cached=false",
                      "--namespaced=" + namespaced)
                  .lines()
                  .filter(kind -> !kind.startsWith("events") && !kind.startsWith("apiservices"))
                  .toList());
      found.addAll(kubectl.names(kinds, "--ignore-not-found"));
    }
    return found;
  }

  private Path copyOfChart() throws IOException {
    Path copy = scratch.resolve("dynims");
    try (Stream<Path> files = Files.walk(ChartNamespace.CHART)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(ChartNamespace.CHART.relativize(file)));
      }
    }
    return copy;
  }
}
