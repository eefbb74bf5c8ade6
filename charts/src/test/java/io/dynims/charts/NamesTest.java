package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names stay within Kubernetes' limits and apart from those of other releases. */
class NamesTest {

  /** Helm lets a release have this many characters. */
  private static final String LONGEST = "a-release-with-a-name-as-long-as-helm-lets-it-be-12345";

  private static final Set<String> CLUSTER_SCOPED = Set.of("ClusterRole", "ClusterRoleBinding");

  @TempDir Path scratch;

  @Test
  void aLongReleaseNameFits() throws Exception {
    Manifests manifests =
        new Chart()
            .release(LONGEST.substring(0, 53), "memory")
            .set("monitoring.serviceMonitor.enabled", true)
            .set("agent.resourceQuota.enabled", true)
            .renderWithTest(scratch);

    for (JsonNode each : manifests.all()) {
      // Pods of a StatefulSet carry its name and a hash of 10 digits as a label.
      int longest = each.path("kind").asText().equals("StatefulSet") ? 52 : 63;
      assertThat(Manifests.name(each)).hasSizeLessThanOrEqualTo(longest).doesNotEndWith("-");
      each.at("/metadata/labels")
          .forEach(label -> assertThat(label.asText()).hasSizeLessThanOrEqualTo(63));
    }
  }

  @Test
  void namesThatAreCutStayApart() {
    String one = Manifests.name(service(LONGEST.substring(0, 52) + "1"));
    String other = Manifests.name(service(LONGEST.substring(0, 52) + "2"));

    assertThat(one).isNotEqualTo(other);
  }

  @Test
  void releasesInTwoNamespacesShareNothingOfTheCluster() {
    Set<String> one = clusterScoped(new Chart().release("dynims", "a"));
    Set<String> other =
        clusterScoped(new Chart().release("dynims", "b").set("crds.install", false));

    assertThat(one).isNotEmpty().doesNotContainAnyElementsOf(other);
    assertThat(other).hasSameSizeAs(one);
  }

  @Test
  void everythingElseIsInTheReleasesNamespace() {
    assertThat(new Chart().release("dynims", "a").render().all())
        .filteredOn(each -> !CLUSTER_SCOPED.contains(each.path("kind").asText()))
        .filteredOn(each -> !each.path("kind").asText().equals("CustomResourceDefinition"))
        .allSatisfy(each -> assertThat(each.at("/metadata/namespace").asText()).isEqualTo("a"));
  }

  @Test
  void twoReleasesInOneNamespaceFollowDifferentLeasesAndAgents() {
    JsonNode one = controller("one");
    JsonNode other = controller("other");

    for (String variable :
        List.of("DYNIMS_KUBERNETES_LEASE", "DYNIMS_KUBERNETES_AGENTS_SELECTOR")) {
      assertThat(Manifests.env(one, variable)).isNotEqualTo(Manifests.env(other, variable));
    }
  }

  private static JsonNode controller(String release) {
    JsonNode deployment =
        new Chart().release(release, "memory").render().one("Deployment", "-controller");
    return Manifests.container(deployment, "controller");
  }

  private static JsonNode service(String release) {
    return new Chart().release(release, "memory").render().one("Service", "-controller");
  }

  private static Set<String> clusterScoped(Chart chart) {
    return chart.render().all().stream()
        .filter(each -> CLUSTER_SCOPED.contains(each.path("kind").asText()))
        .map(each -> each.path("kind").asText() + " " + Manifests.name(each))
        .collect(Collectors.toSet());
  }
}
