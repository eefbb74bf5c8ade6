package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** The controller is there while nodes are drained and releases upgraded. */
class ControllerTest {

  private final Manifests manifests = new Chart().render();
  private final JsonNode deployment = manifests.one("Deployment", "-controller");
  private final JsonNode container = Manifests.container(deployment, "controller");

  @Test
  void isReplacedOnlyByOneThatIsReady() {
    assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(2);
    assertThat(deployment.at("/spec/strategy/rollingUpdate/maxUnavailable").asInt(-1)).isZero();
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/readyz");
    assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/healthz");
    assertThat(container.at("/startupProbe/httpGet/path").asText()).isEqualTo("/healthz");
  }

  @Test
  void losesOneReplicaAtATime() {
    JsonNode budget = manifests.one("PodDisruptionBudget", "-controller");

    assertThat(budget.at("/spec/maxUnavailable").asInt()).isEqualTo(1);
    assertThat(budget.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector"));
  }

  @Test
  void isSpreadOverNodesUnlessToldOtherwise() {
    JsonNode spread = Manifests.podSpec(deployment).path("topologySpreadConstraints");
    assertThat(spread).hasSize(1);
    assertThat(spread.at("/0/topologyKey").asText()).isEqualTo("kubernetes.io/hostname");
    assertThat(spread.at("/0/labelSelector")).isEqualTo(deployment.at("/spec/selector"));

    JsonNode configured =
        new Chart()
            .set("controller.topologySpreadConstraints[0].topologyKey", "zone")
            .render()
            .one("Deployment", "-controller");
    assertThat(
            Manifests.podSpec(configured).at("/topologySpreadConstraints/0/topologyKey").asText())
        .isEqualTo("zone");
  }

  @Test
  void isReachedByItsService() {
    JsonNode service = manifests.one("Service", "-controller");

    assertThat(service.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector/matchLabels"));
    assertThat(service.at("/spec/ports/0/targetPort").asText())
        .isEqualTo(container.at("/ports/0/name").asText())
        .isEqualTo("http");
  }

  @Test
  void replicasShareTheFleetIfAskedTo() {
    String setting = "DYNIMS_CONTROLLERS_SHARE";
    JsonNode shared =
        new Chart().set("controller.share", true).render().one("Deployment", "-controller");

    assertThat(Manifests.env(Manifests.container(shared, "controller"), setting)).isEqualTo("true");
    assertThat(container.path("env")).noneMatch(each -> each.path("name").asText().equals(setting));
  }

  @Test
  void takesMoreSettingsFromTheEnvironment() {
    JsonNode more =
        new Chart()
            .set("controller.extraEnv[0].name", "DYNIMS_PUSH_LEASE")
            .set("controller.extraEnv[0].value", "10s")
            .render()
            .one("Deployment", "-controller");

    assertThat(Manifests.env(Manifests.container(more, "controller"), "DYNIMS_PUSH_LEASE"))
        .isEqualTo("10s");
  }
}
