package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Artifact Hub shows of the chart. */
class MetadataTest {

  private final JsonNode chart = Chart.file("Chart.yaml");

  @TempDir Path scratch;

  @ParameterizedTest
  @ValueSource(strings = {"changes", "images", "crds", "crdsExamples", "links"})
  void annotationsAreLists(String name) {
    assertThat(annotation(name).isArray()).isTrue();
    assertThat(annotation(name)).isNotEmpty();
  }

  @Test
  void listsTheImagesThatAreRun() throws Exception {
    Set<String> run = new TreeSet<>();
    for (JsonNode workload : new Chart().renderWithTest(scratch).workloads()) {
      Manifests.containers(workload).forEach(each -> run.add(each.path("image").asText()));
    }
    for (String store : List.of("redis", "memcached")) {
      JsonNode sidecar = SidecarTest.patch(new Chart().variant(store), store);
      run.add(sidecar.at("/spec/containers/0/image").asText());
    }
    JsonNode mpiio = new Chart().variant("mpiio").render().one("DaemonSet", "-mpiio");
    Manifests.containers(mpiio).forEach(each -> run.add(each.path("image").asText()));
    JsonNode flink =
        new Chart().variant("flink-operator").render().one("FlinkDeployment", "-flink");
    run.add(flink.at("/spec/image").asText());

    assertThat(annotation("images").findValuesAsText("image"))
        .containsExactlyInAnyOrderElementsOf(run);
  }

  @Test
  void describesTheResourceThatIsInstalled() {
    JsonNode crd = Chart.file("files/memorytiers.dynims.io.yaml");

    assertThat(annotation("crds").at("/0/name").asText()).isEqualTo(Manifests.name(crd));
    assertThat(annotation("crds").at("/0/kind").asText())
        .isEqualTo(crd.at("/spec/names/kind").asText())
        .isEqualTo(annotation("crdsExamples").at("/0/kind").asText());
    assertThat(annotation("crds").at("/0/version").asText())
        .isEqualTo(crd.at("/spec/versions/0/name").asText());
  }

  @Test
  void isOfTheProjectsVersion() {
    assertThat(chart.path("appVersion").asText()).isEqualTo(System.getProperty("project.version"));
  }

  private JsonNode annotation(String name) {
    return Chart.parse(chart.path("annotations").path("artifacthub.io/" + name).asText()).get(0);
  }
}
