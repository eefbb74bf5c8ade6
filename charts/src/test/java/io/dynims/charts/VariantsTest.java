package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the chart renders for the default values and for every documented variant. */
class VariantsTest {

  @TempDir Path scratch;

  @Test
  void lints() {
    var result = new Chart().lint();

    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
    assertThat(result.getMessages())
        .allSatisfy(message -> assertThat(message).startsWith("[INFO]"));
  }

  @ParameterizedTest
  @MethodSource("io.dynims.charts.Chart#variants")
  void rendersResourcesThatAreToldApart(String variant) throws Exception {
    Manifests manifests = new Chart().variant(variant).renderWithTest(scratch);

    Set<String> names = new HashSet<>();
    for (JsonNode each : manifests.all()) {
      String namespace = each.at("/metadata/namespace").asText();
      assertThat(
              names.add(each.path("kind").asText() + " " + namespace + "/" + Manifests.name(each)))
          .as("%s is there once", Manifests.name(each))
          .isTrue();
      assertThat(each.path("apiVersion").asText()).isNotEmpty();
      assertThat(each.at("/metadata/labels/app.kubernetes.io~1instance").asText())
          .isEqualTo("dynims");
    }
    assertThat(manifests.ofKind("Deployment")).isNotEmpty();
    assertThat(manifests.ofKind("DaemonSet"))
        .hasSize(Set.of("mpiio", "several-alluxio").contains(variant) ? 2 : 1);
  }

  @ParameterizedTest
  @MethodSource("io.dynims.charts.Chart#variants")
  void isDescribedInTheReadme(String variant) throws Exception {
    assertThat(Files.readString(Chart.FOLDER.resolve("README.md")))
        .contains("(ci/" + variant + "-values.yaml)");
  }

  @Test
  void runsNoFlinkWhereOneIsThere() {
    Manifests manifests = new Chart().variant("external-flink").render();

    assertThat(manifests.all()).noneMatch(each -> Manifests.name(each).contains("flink"));
  }

  @Test
  void runsABrokerOnlyWhereNoneIsNamed() {
    assertThat(new Chart().render().ofKind("StatefulSet")).hasSize(1);
    assertThat(new Chart().variant("kafka-tls-sasl").render().ofKind("StatefulSet")).isEmpty();
  }

  @Test
  void theBrokerKeepsItsTopicsInAVolumeIfAskedTo() {
    Manifests kept =
        new Chart()
            .set("kafka.evaluation.persistence.enabled", true)
            .set("kafka.evaluation.persistence.size", "5Gi")
            .set("kafka.evaluation.persistence.storageClass", "fast")
            .render();
    JsonNode claim = kept.one("PersistentVolumeClaim", "-kafka");

    assertThat(claim.at("/spec/resources/requests/storage").asText()).isEqualTo("5Gi");
    assertThat(claim.at("/spec/storageClassName").asText()).isEqualTo("fast");
    assertThat(data(kept).at("/persistentVolumeClaim/claimName").asText())
        .isEqualTo(Manifests.name(claim));
    assertThat(kept.one("StatefulSet", "-kafka").at("/spec").has("volumeClaimTemplates"))
        .as("what an upgrade could not change")
        .isFalse();
    assertThat(data(new Chart().render()).at("/emptyDir/sizeLimit").asText()).isEqualTo("1Gi");
    assertThat(new Chart().render().ofKind("PersistentVolumeClaim")).isEmpty();
  }

  private static JsonNode data(Manifests manifests) {
    JsonNode broker = manifests.one("StatefulSet", "-kafka");
    return Manifests.stream(Manifests.podSpec(broker).path("volumes"))
        .filter(volume -> volume.path("name").asText().equals("data"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void createsTopicsWithAsManyCopiesAsThereAreBrokersFor() {
    assertThat(controllerEnv(new Chart(), "DYNIMS_KAFKA_TOPICS_REPLICATION")).isEqualTo("1");
    assertThat(
            controllerEnv(new Chart().variant("kafka-tls-sasl"), "DYNIMS_KAFKA_TOPICS_REPLICATION"))
        .isEqualTo("3");
  }

  @Test
  void followsMemoryTiersOfItsOwnNamespaceOfSomeOrOfAll() {
    String variable = "DYNIMS_KUBERNETES_WATCH_NAMESPACE";

    assertThat(controllerEnv(new Chart(), variable)).isEqualTo("memory");
    assertThat(controllerEnv(new Chart().variant("some-namespaces"), variable))
        .isEqualTo("storage,analytics");
    assertThat(controllerEnv(new Chart().variant("all-namespaces"), variable)).isEmpty();
  }

  @Test
  void takesImagesFromWhereItIsTold() {
    Manifests manifests = new Chart().variant("private-registry").render();

    List<String> images =
        manifests.workloads().stream()
            .flatMap(each -> Manifests.containers(each).stream())
            .map(each -> each.path("image").asText())
            .distinct()
            .toList();
    assertThat(images)
        .allMatch(image -> image.startsWith("registry.example.com/dynims/dynims-"))
        .contains("registry.example.com/dynims/dynims-agent:0.1.0")
        .anyMatch(image -> image.matches(".*/dynims-controller@sha256:[0-9a-f]{64}"));
    assertThat(manifests.workloads())
        .allSatisfy(
            each ->
                assertThat(Manifests.podSpec(each).at("/imagePullSecrets/0/name").asText())
                    .isEqualTo("registry-example"));
  }

  @Test
  void spreadsTaskManagersOverNodesUnlessToldOtherwise() {
    JsonNode spread = Manifests.podSpec(taskManager(new Chart())).path("topologySpreadConstraints");
    Chart told = new Chart().set("flink.taskManager.topologySpreadConstraints[0].maxSkew", 2);

    assertThat(spread).hasSize(1);
    assertThat(spread.at("/0/topologyKey").asText()).isEqualTo("kubernetes.io/hostname");
    assertThat(spread.at("/0/labelSelector"))
        .isEqualTo(taskManager(new Chart()).at("/spec/selector"));
    assertThat(Manifests.podSpec(taskManager(told)).path("topologySpreadConstraints"))
        .singleElement()
        .satisfies(each -> assertThat(each.path("maxSkew").asInt()).isEqualTo(2));
  }

  private static JsonNode taskManager(Chart chart) {
    return chart.render().one("Deployment", "-taskmanager");
  }

  @Test
  void runsAsManyTasksAsThereAreSlots() {
    JsonNode config =
        Chart.parse(
                new Chart()
                    .variant("big-cluster")
                    .render()
                    .one("ConfigMap", "-flink")
                    .at("/data/config.yaml")
                    .asText())
            .get(0);

    assertThat(config.path("taskmanager.numberOfTaskSlots").asInt()).isEqualTo(2);
    assertThat(config.path("parallelism.default").asInt()).isEqualTo(4);
    assertThat(config.path("taskmanager.memory.task.heap.size").asText()).isEqualTo("448m");
  }

  @Test
  void letsFlinksConfigurationBeChanged() {
    Manifests changed = new Chart().set("flink.config.rest\\.port", 8082).render();

    assertThat(changed.one("ConfigMap", "-flink").at("/data/config.yaml").asText())
        .contains("rest.port: 8082\n");
    assertThat(checksum(changed)).isNotEqualTo(checksum(new Chart().render()));
  }

  private static String checksum(Manifests manifests) {
    return manifests
        .one("Deployment", "-taskmanager")
        .at("/spec/template/metadata/annotations/checksum~1config")
        .asText();
  }

  private static String controllerEnv(Chart chart, String variable) {
    JsonNode controller = chart.render().one("Deployment", "-controller");
    return Manifests.env(Manifests.container(controller, "controller"), variable);
  }
}
