package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart in the hands of Helm and a real API server. Nothing runs in the pods. */
class ChartE2E {

  private static final Path CHART = Cluster.PROJECT.resolve("charts/dynims");
  private static final Path VALUES = CHART.resolve("ci");
  private static final String RELEASE = "dynims";
  private static final String ACCOUNT = "dynims-controller";
  private static final String CRD = "customresourcedefinition.apiextensions.k8s.io/";
  private static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: mine}
      spec: {nodes: {selector: {}}, capacity: {max: 60Gi}, mode: Recommend}
      """;

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

  /** The namespace of the release, new for each test. */
  private Kubectl kubectl;

  @TempDir Path scratch;

  @BeforeAll
  static void start() {
    cluster = Cluster.shared();
    cluster.nodes(Cluster.NODES);
  }

  @BeforeEach
  void withoutDefinition() {
    // It belongs to one release at a time.
    cluster.removeDefinition();
    kubectl = cluster.newNamespace("chart");
  }

  @AfterEach
  void uninstall() {
    helm("uninstall", RELEASE, "--ignore-not-found", "--wait");
    kubectl.run("delete", "namespace", kubectl.namespace(), "--wait=false");
  }

  @AfterAll
  static void leaveNoDefinition() {
    if (cluster != null) {
      cluster.removeDefinition();
    }
  }

  static Stream<Path> variants() throws IOException {
    try (Stream<Path> files = Files.list(VALUES)) {
      List<Path> found = files.filter(f -> f.toString().endsWith("-values.yaml")).sorted().toList();
      assertThat(found).isNotEmpty();
      return found.stream();
    }
  }

  @Test
  void theDefaultsAreValid() throws IOException {
    isValid();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyDocumentedVariantIsValid(Path values) throws IOException {
    isValid("--values=" + values);
  }

  private void isValid(String... values) throws IOException {
    helm(with(values, "lint", "--strict", CHART.toString()));
    String rendered = helm(with(values, "template", RELEASE, CHART.toString()));
    assertThat(kubeconform(rendered).succeeded()).contains("Invalid: 0, Errors: 0");
  }

  @ParameterizedTest
  @CsvSource({"replicas: 2, replicas: two", "replicas: 2, replica: 2", "kind: Deployment, kind: X"})
  void aManifestThatTheApiServerWouldRefuseIsFound(String right, String wrong) throws IOException {
    String rendered = helm("template", RELEASE, CHART.toString());
    assertThat(rendered).contains(right);

    assertThat(kubeconform(rendered.replace(right, wrong)).exitCode()).isNotZero();
  }

  /** The schemas are those of this Kubernetes; other resources are not known to it. */
  private Ended kubeconform(String manifests) throws IOException {
    Path file = Files.writeString(scratch.resolve("manifests.yaml"), manifests);
    return Ended.run(
        Map.of(),
        "",
        List.of(
            cluster.program("kubeconform").toString(),
            "-strict",
            "-summary",
            "-skip=ServiceMonitor,PodMonitor,PrometheusRule",
            "-schema-location=" + cluster.schemas() + "/{{.ResourceKind}}{{.KindSuffix}}.json",
            file.toString()));
  }

  @Test
  void allPodsRunAfterTheInstall() {
    String told = install();

    assertThat(told).contains("kubectl get memorytiers --namespace " + kubectl.namespace());
    assertThat(podsByComponent())
        .containsEntry("agent", (long) Cluster.NODES)
        .containsEntry("controller", 2L)
        .containsEntry("flink-jobmanager", 1L)
        .containsEntry("flink-taskmanager", 1L)
        .containsEntry("kafka", 1L)
        .hasSize(5);
    assertThat(kubectl.get("pods").path("items"))
        .allMatch(pod -> pod.at("/status/phase").asText().equals("Running"));
    // The first command of the notes.
    kubectl.apply(told.substring(told.indexOf("apiVersion:"), told.indexOf("END\n\n2.")));
    assertThat(kubectl.run("get", "memorytiers")).contains("alluxio");
  }

  @ParameterizedTest
  @ValueSource(strings = {"external-flink", "big-cluster", "gke", "all-namespaces", "openshift"})
  void theApiServerTakesTheVariant(String variant) {
    install("--values=" + VALUES.resolve(variant + "-values.yaml"));

    assertThat(kubectl.get("pods").path("items"))
        .allMatch(pod -> pod.at("/status/phase").asText().equals("Running"));
  }

  @Test
  void anUpgradeReplacesOnlyWhatChanges() {
    install();
    kubectl.apply(TIER);
    List<String> before = kubectl.names("pods");

    upgrade();
    assertThat(kubectl.names("pods")).containsExactlyInAnyOrderElementsOf(before);

    upgrade("--set=controller.replicas=3");
    assertThat(kubectl.names("pods")).containsAll(before).hasSize(before.size() + 1);

    upgrade("--set-json=agent.collectd.interval=0.5");
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
  void anUpgradeUpgradesTheDefinition() throws IOException {
    Path old = copyOfChart();
    Path definition = old.resolve("files/memorytiers.dynims.io.yaml");
    String text = Files.readString(definition);
    String today = "\"Enforce: decide and resize the tiers.";
    assertThat(text).contains(today);
    Files.writeString(definition, text.replace(today, "\"In those days."));
    helm("install", RELEASE, old.toString(), "--wait", "--timeout=180s");
    kubectl.apply(TIER);
    assertThat(definitionOfMode()).startsWith("In those days.");

    upgrade();

    assertThat(definitionOfMode()).startsWith("Enforce: decide and resize the tiers.");
    assertThat(kubectl.names("mtier")).containsExactly("memorytier.dynims.io/mine");
  }

  @Test
  void anUninstallLeavesTheDefinitionAndMemoryTiersAndNothingElse() {
    List<String> before = everything();
    install();
    kubectl.apply(TIER);
    assertThat(everything().size()).isGreaterThan(before.size() + 20);

    assertThat(helm("uninstall", RELEASE, "--wait"))
        .contains("[CustomResourceDefinition] memorytiers.dynims.io");

    Cluster.await()
        .untilAsserted(
            () ->
                assertThat(everything())
                    .filteredOn(name -> !before.contains(name))
                    .containsExactlyInAnyOrder(
                        CRD + "memorytiers.dynims.io", "memorytier.dynims.io/mine"));
    // And it is no obstacle for the next one.
    install();
  }

  @Test
  void aReleaseElsewhereTakesTheDefinitionOverOrLeavesItAlone() {
    install();
    helm("uninstall", RELEASE, "--wait");
    kubectl = cluster.newNamespace("elsewhere");

    assertThat(
            cluster.helm().refused("install", RELEASE, CHART.toString(), "-n", kubectl.namespace()))
        .contains("memorytiers.dynims.io", "cannot be imported into the current release");
    install("--set=crds.install=false");
    helm("uninstall", RELEASE, "--wait");
    install("--take-ownership");
  }

  @Test
  void aRestrictedNamespaceRefusesOnlyTheAgentsFolderOfTheNode() {
    kubectl.run(
        "label", "namespace", kubectl.namespace(), "pod-security.kubernetes.io/enforce=restricted");

    helm("install", RELEASE, CHART.toString());

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
                assertThat(podsByComponent().keySet())
                    .containsExactly(
                        "controller", "flink-jobmanager", "flink-taskmanager", "kafka"));

    upgrade("--values=" + VALUES.resolve("restricted-values.yaml"));
    assertThat(podsByComponent()).containsEntry("agent", (long) Cluster.NODES);
  }

  @Test
  void theControllersAccountMayDoWhatItNeedsAndNoMore() {
    install();
    Kubectl controller = cluster.kubectlOf(kubectl.namespace(), ACCOUNT);
    kubectl.apply(TIER);

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
  void theOtherPodsHaveNoTokenAndTheirAccountNoRights() {
    install();

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

  private String install(String... more) {
    return helm(with(more, "install", RELEASE, CHART.toString(), "--wait", "--timeout=180s"));
  }

  private void upgrade(String... more) {
    helm(with(more, "upgrade", RELEASE, CHART.toString(), "--wait", "--timeout=180s"));
  }

  private String helm(String... arguments) {
    return cluster.helm().run(with(arguments, "--namespace=" + kubectl.namespace()));
  }

  private static String[] with(String[] last, String... first) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
  }

  private Map<String, Long> podsByComponent() {
    Map<String, Long> counts = new TreeMap<>();
    for (JsonNode pod : kubectl.get("pods").path("items")) {
      counts.merge(pod.at("/metadata/labels/app.kubernetes.io~1component").asText(), 1L, Long::sum);
    }
    return counts;
  }

  private String definitionOfMode() {
    String description =
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/mode/description";
    return kubectl.get("crd", "memorytiers.dynims.io").at(description).asText();
  }

  /**
   * Names of all objects of the namespace and of the cluster, but for those that are only views.
   */
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
    try (Stream<Path> files = Files.walk(CHART)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(CHART.relativize(file)));
      }
    }
    return copy;
  }
}
