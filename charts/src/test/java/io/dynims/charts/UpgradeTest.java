package io.dynims.charts;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must not change when a release is upgraded. */
class UpgradeTest {

  @TempDir Path scratch;

  /** A Deployment's selector can never be changed. */
  @ParameterizedTest
  @MethodSource("io.dynims.charts.Chart#variants")
  void selectorsAreTheSameWhateverTheValues(String variant) {
    Map<String, JsonNode> before = selectors(new Chart().render());
    // What the default values do not have.
    for (String other : List.of("mpiio", "several-alluxio")) {
      selectors(new Chart().variant(other).render()).forEach(before::putIfAbsent);
    }

    assertThat(before)
        .containsAllEntriesOf(
            selectors(new Chart().variant(variant).set("commonLabels.new", "label").render()));
  }

  @Test
  void selectorsChooseTheirOwnPodsOnly() {
    Manifests manifests = new Chart().render();
    for (JsonNode workload : manifests.workloads()) {
      JsonNode selector = workload.at("/spec/selector/matchLabels");
      assertThat(manifests.workloads())
          .filteredOn(each -> selects(selector, Manifests.podTemplate(each).at("/metadata/labels")))
          .containsExactly(workload);
    }
  }

  @Test
  void aNewVersionOfTheChartAloneReplacesNoPod() throws Exception {
    Path copy = Chart.copy(scratch);
    Path file = copy.resolve("Chart.yaml");
    Files.writeString(
        file, Files.readString(file).replaceFirst("\nversion: .*", "\nversion: 9.9.9"));
    Manifests later = new Chart(copy).render();

    for (JsonNode workload : new Chart().render().workloads()) {
      JsonNode now = later.one(workload.path("kind").asText(), Manifests.name(workload));
      assertThat(Manifests.podTemplate(now)).isEqualTo(Manifests.podTemplate(workload));
      assertThat(now.at("/metadata/labels/helm.sh~1chart").asText()).isEqualTo("dynims-9.9.9");
    }
  }

  @Test
  void certificatesAndTokenStay() throws Exception {
    Manifests first = new Chart().render();

    assertThat(secretData(Chart.upgrading(first.ofKind("Secret"), scratch).render()))
        .isEqualTo(secretData(first));
  }

  /** Adapters may be of before longer than agents: in the pods of stores. */
  @Test
  void adaptersOfBeforeTheControllerHadACertificateAreCalledAsTheyAsk() throws Exception {
    Manifests before =
        new Manifests(
            List.of(
                new Chart().render().one("Secret", "-tier-tls"),
                new Chart().set("tierApi.tls.enabled", false).render().one("Secret", "-token")));

    Manifests now = Chart.upgrading(before.all(), scratch).render();

    JsonNode workload = now.one("Deployment", "-controller");
    Map<String, String> controller =
        new MountedFiles(now, Manifests.podSpec(workload))
            .write(Manifests.container(workload, "controller"), scratch.resolve("controller"));
    assertThat(Path.of(controller.get("DYNIMS_PUSH_TOKEN_FILE")))
        .content()
        .isEqualTo(decoded(before.one("Secret", "-token"), "token"));
    for (String key : List.of("tls.crt", "tls.key")) {
      assertThat(decoded(now.one("Secret", "-tier-tls"), key))
          .isEqualTo(decoded(before.one("Secret", "-tier-tls"), key));
    }
    for (String name : List.of("-tier-tls", "-push-tls")) {
      assertThat(decoded(now.one("Secret", name), "ca.crt"))
          .startsWith(decoded(before.one("Secret", "-tier-tls"), "ca.crt"))
          .containsPattern("(?s)-----BEGIN CERTIFICATE-----.*-----BEGIN CERTIFICATE-----");
    }
    assertThat(Manifests.podSpec(now.one("DaemonSet", "-agent")).toString())
        .doesNotContain("tier-token");
  }

  private static Map<String, JsonNode> secretData(Manifests manifests) {
    Map<String, JsonNode> data = new TreeMap<>();
    manifests.ofKind("Secret").forEach(each -> data.put(Manifests.name(each), each.path("data")));
    return data;
  }

  private static String decoded(JsonNode secret, String key) {
    return new String(Base64.getDecoder().decode(secret.at("/data").path(key).asText()), US_ASCII);
  }

  private static Map<String, JsonNode> selectors(Manifests manifests) {
    Map<String, JsonNode> selectors = new TreeMap<>();
    manifests
        .workloads()
        .forEach(each -> selectors.put(Manifests.name(each), each.at("/spec/selector")));
    return selectors;
  }

  private static boolean selects(JsonNode selector, JsonNode labels) {
    return selector.properties().stream()
        .allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
  }
}
