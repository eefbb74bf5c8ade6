package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The base for Kustomize is what the chart renders. */
class KustomizeTest {

  private static final Path FOLDER = Path.of("kustomize");
  private static final Path BASE = FOLDER.resolve("base/dynims.yaml");
  private static final String HEAD =
      """
      # What the chart renders by default, without the Secrets that it makes. Generated: ./mvnw test -pl charts -am -Dkustomize.update=true.
      """;

  @Test
  void theBaseIsWhatTheChartRenders() throws IOException {
    String rendered = rendered();
    if (Boolean.getBoolean("kustomize.update")) {
      Files.createDirectories(BASE.getParent());
      Files.writeString(BASE, rendered);
      return;
    }
    assertThat(rendered)
        .as("%s; update it with ./mvnw test -pl charts -am -Dkustomize.update=true", BASE)
        .isEqualTo(Files.readString(BASE));
  }

  /** Helm has no hand in it, and its labels would be wrong. */
  private static String rendered() {
    String rendered =
        new Chart()
            .release("dynims", "dynims")
            .set("tierApi.tls.existingSecret", "dynims-tier-tls")
            .set("tierApi.tls.controllerSecret", "dynims-push-tls")
            .set("flink.internalTls.existingSecret", "dynims-flink-tls")
            .text();
    return HEAD
        + rendered
            .replaceAll("(?m)^ *helm\\.sh/chart: .*\n", "")
            .replaceAll("(?m)^ *app\\.kubernetes\\.io/managed-by: Helm\n", "");
  }

  @Test
  void theBaseHasNoSecretAndTheReadmeSaysHowToMakeEach() throws IOException {
    Manifests manifests = new Manifests(Chart.parse(Files.readString(BASE)));
    Set<String> needed = new TreeSet<>();
    for (JsonNode workload : manifests.workloads()) {
      for (JsonNode volume : Manifests.podSpec(workload).path("volumes")) {
        if (volume.has("secret")) {
          needed.add(volume.at("/secret/secretName").asText());
        }
      }
    }
    String readme = Files.readString(FOLDER.resolve("README.md"));

    assertThat(manifests.ofKind("Secret")).isEmpty();
    assertThat(needed)
        .containsExactly("dynims-flink-tls", "dynims-push-tls", "dynims-tier-tls")
        .allSatisfy(name -> assertThat(readme).contains(name));
  }

  @Test
  void theBaseIsNamedInItsKustomization() throws IOException {
    JsonNode kustomization =
        Chart.parse(Files.readString(FOLDER.resolve("base/kustomization.yaml"))).get(0);

    assertThat(Manifests.texts(kustomization.path("resources"))).isEqualTo(List.of("dynims.yaml"));
    assertThat(kustomization.path("namespace").asText()).isEqualTo("dynims");
  }
}
