package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the controller may do, to the word: nothing more goes in unseen. */
class RbacTest {

  private static final String NODES = "/nodes: get list watch";
  private static final List<String> OWN =
      List.of(
          "/pods: get list watch",
          "coordination.k8s.io/leases: create",
          "coordination.k8s.io/leases dynims-controller: get update patch");
  private static final List<String> TIERS =
      List.of(
          "dynims.io/memorytiers: get list watch",
          "dynims.io/memorytiers/status: get patch update",
          "/events: create patch");

  @Test
  void inOneNamespaceOnlyNodesAreReadClusterWide() {
    Manifests manifests = new Chart().render();

    assertThat(rules(manifests.one("ClusterRole", "-controller"))).containsExactly(NODES);
    assertThat(manifests.ofKind("Role")).hasSize(1);
    assertThat(rules(manifests.one("Role", "-controller")))
        .containsExactlyElementsOf(plus(OWN, TIERS));
  }

  @Test
  void inAllNamespacesMemoryTiersAre() {
    Manifests manifests = new Chart().variant("all-namespaces").render();

    assertThat(rules(manifests.one("ClusterRole", "-controller")))
        .containsExactlyElementsOf(plus(List.of(NODES), TIERS));
    assertThat(manifests.ofKind("Role")).hasSize(1);
    assertThat(rules(manifests.one("Role", "-controller"))).containsExactlyElementsOf(OWN);
  }

  @Test
  void inSomeNamespacesMemoryTiersAreReadThereAndNowhereElse() {
    Manifests manifests = new Chart().variant("some-namespaces").render();

    assertThat(rules(manifests.one("ClusterRole", "-controller"))).containsExactly(NODES);
    Map<String, List<String>> rules = new TreeMap<>();
    manifests
        .ofKind("Role")
        .forEach(role -> rules.put(role.at("/metadata/namespace").asText(), rules(role)));
    assertThat(rules)
        .containsExactly(
            Map.entry("analytics", TIERS), Map.entry("memory", OWN), Map.entry("storage", TIERS));
    assertThat(manifests.ofKind("RoleBinding"))
        .extracting(binding -> binding.at("/metadata/namespace").asText())
        .containsExactlyInAnyOrder("analytics", "memory", "storage");
  }

  @Test
  void podsOfAllNamespacesAreReadOnlyIfTheyMayGiveHints() {
    Manifests manifests = new Chart().set("controller.podHints", true).render();

    assertThat(rules(manifests.one("ClusterRole", "-controller")))
        .containsExactly(NODES, "/pods: get list watch");
    JsonNode controller = manifests.one("Deployment", "-controller");
    assertThat(
            Manifests.env(
                Manifests.container(controller, "controller"), "DYNIMS_KUBERNETES_PODS_HINTS"))
        .isEqualTo("true");
  }

  @Test
  void whoMayEditANamespaceMayChangeMemoryTiersAndWhoMayViewItMayReadThem() {
    Manifests manifests = new Chart().render();

    JsonNode view = manifests.one("ClusterRole", "-view");
    assertThat(rules(view))
        .containsExactly("dynims.io/memorytiers memorytiers/status: get list watch");
    assertThat(aggregation(view)).containsExactlyInAnyOrder("view", "edit", "admin");
    JsonNode edit = manifests.one("ClusterRole", "-edit");
    assertThat(rules(edit))
        .containsExactly("dynims.io/memorytiers: create update patch delete deletecollection");
    assertThat(aggregation(edit)).containsExactlyInAnyOrder("edit", "admin");
  }

  @Test
  void whoMayEditANamespaceMayOnlyReadMemoryTiersWhereTheseSteerNodesFromEveryNamespace() {
    Manifests manifests = new Chart().variant("all-namespaces").render();

    assertThat(aggregation(manifests.one("ClusterRole", "-view"))).containsExactly("view");
    assertThat(manifests.ofKind("ClusterRole"))
        .noneMatch(role -> Manifests.name(role).endsWith("-edit"));
  }

  private static List<String> aggregation(JsonNode role) {
    String label = "rbac.authorization.k8s.io/aggregate-to-";
    return role.at("/metadata/labels").properties().stream()
        .filter(each -> each.getKey().startsWith(label) && each.getValue().asText().equals("true"))
        .map(each -> each.getKey().substring(label.length()))
        .toList();
  }

  @Test
  void onlyTheControllersAccountHasRights() {
    Manifests manifests = new Chart().render();

    List<JsonNode> bindings = new ArrayList<>(manifests.ofKind("ClusterRoleBinding"));
    bindings.addAll(manifests.ofKind("RoleBinding"));
    assertThat(bindings)
        .hasSize(2)
        .allSatisfy(
            binding -> {
              assertThat(binding.path("subjects")).hasSize(1);
              assertThat(binding.at("/subjects/0/name").asText()).isEqualTo("dynims-controller");
              assertThat(binding.at("/subjects/0/namespace").asText()).isEqualTo("memory");
            });
  }

  @Test
  void onlyTheControllerSeesAToken() {
    for (JsonNode workload : new Chart().render().workloads()) {
      assertThat(Manifests.podSpec(workload).path("automountServiceAccountToken").asBoolean(true))
          .as(Manifests.name(workload))
          .isEqualTo(Manifests.name(workload).equals("dynims-controller"));
    }
  }

  @Test
  void createsNoneWhereAnAdministratorDoes() {
    Manifests manifests =
        new Chart()
            .set("rbac.create", false)
            .set("controller.serviceAccount.create", false)
            .set("controller.serviceAccount.name", "theirs")
            .render();

    assertThat(manifests.ofKind("Role")).isEmpty();
    assertThat(manifests.ofKind("ClusterRole")).isEmpty();
    assertThat(manifests.ofKind("ServiceAccount")).hasSize(1);
    JsonNode controller = manifests.one("Deployment", "-controller");
    assertThat(Manifests.podSpec(controller).path("serviceAccountName").asText())
        .isEqualTo("theirs");
  }

  private static List<String> rules(JsonNode role) {
    return Manifests.stream(role.path("rules"))
        .map(
            rule -> {
              String names = String.join(" ", Manifests.texts(rule.path("resourceNames")));
              return String.join(" ", Manifests.texts(rule.path("apiGroups")))
                  + "/"
                  + String.join(" ", Manifests.texts(rule.path("resources")))
                  + (names.isEmpty() ? "" : " " + names)
                  + ": "
                  + String.join(" ", Manifests.texts(rule.path("verbs")));
            })
        .toList();
  }

  private static List<String> plus(List<String> some, List<String> more) {
    List<String> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }
}
