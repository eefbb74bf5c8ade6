package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Credentials come from Secrets, as files. */
class CredentialsTest {

  private final Manifests manifests = new Chart().variant("kafka-tls-sasl").render();

  @Test
  void reachEveryProgramThatSpeaksToKafkaAndNoOther() {
    assertThat(
            manifests.workloads().stream()
                .flatMap(each -> Manifests.containers(each).stream())
                .filter(CredentialsTest::hasThem)
                .map(each -> each.path("name").asText()))
        .containsExactlyInAnyOrder(
            "render-collectd-conf", "collectd", "controller", "jobmanager", "taskmanager");
  }

  @Test
  void agentsHaveTheirOwn() {
    assertThat(secrets(manifests.one("DaemonSet", "-agent")))
        .contains("dynims-kafka-agent")
        .doesNotContain("dynims-kafka");
    assertThat(secrets(manifests.one("Deployment", "-controller")))
        .contains("dynims-kafka")
        .doesNotContain("dynims-kafka-agent");
  }

  private static List<String> secrets(JsonNode workload) {
    return Manifests.stream(Manifests.podSpec(workload).path("volumes"))
        .map(volume -> volume.at("/secret/secretName").asText())
        .toList();
  }

  @Test
  void areNamedAsFiles() {
    JsonNode controller = manifests.one("Deployment", "-controller");
    JsonNode jobManager = manifests.one("Deployment", "-jobmanager");
    JsonNode agent = manifests.one("DaemonSet", "-agent");

    assertThat(
            Manifests.env(Manifests.container(controller, "controller"), "DYNIMS_KAFKA_PROPERTIES"))
        .isEqualTo("/etc/dynims/kafka/client.properties");
    assertThat(
            Manifests.env(Manifests.container(jobManager, "jobmanager"), "DYNIMS_KAFKA_PROPERTIES"))
        .isEqualTo("/etc/dynims/kafka/client.properties");
    assertThat(Manifests.texts(Manifests.container(agent, "render-collectd-conf").path("command")))
        .containsSubsequence(
            "--properties-file", "/etc/dynims/kafka/librdkafka.properties", "--output");
  }

  @Test
  void areNeverInTheEnvironment() {
    for (JsonNode workload : manifests.workloads()) {
      for (JsonNode container : Manifests.containers(workload)) {
        assertThat(container.has("envFrom")).isFalse();
        assertThat(Manifests.stream(container.path("env")))
            .noneMatch(variable -> variable.path("valueFrom").has("secretKeyRef"));
      }
    }
    assertThat(manifests.ofKind("Secret"))
        .as("all that the chart makes: certificates")
        .extracting(secret -> secret.at("/metadata/name").asText())
        .containsExactlyInAnyOrder("dynims-tier-tls", "dynims-push-tls", "dynims-flink-tls");
  }

  @Test
  void areReadableByTheProgramsGroupAndNobodyElse() {
    List<JsonNode> secrets =
        manifests.workloads().stream()
            .flatMap(each -> Manifests.stream(Manifests.podSpec(each).path("volumes")))
            .filter(volume -> volume.has("secret"))
            .toList();

    assertThat(secrets)
        .hasSize(8)
        .allSatisfy(
            volume -> {
              assertThat(volume.at("/secret/secretName").asText())
                  .matches("dynims-kafka(-agent)?|dynims-(tier|push|flink)-tls");
              assertThat(volume.at("/secret/defaultMode").asInt()).isEqualTo(0440);
            });
  }

  @Test
  void areRenderedForCollectdInMemoryOnly() {
    JsonNode agent = manifests.one("DaemonSet", "-agent");

    assertThat(Manifests.stream(Manifests.podSpec(agent).path("volumes")))
        .filteredOn(volume -> volume.path("name").asText().equals("run"))
        .singleElement()
        .satisfies(
            volume -> assertThat(volume.at("/emptyDir/medium").asText()).isEqualTo("Memory"));
  }

  @Test
  void theTokenOfTheTierApiReachesNobodyWhereTheControllerHasACertificate() {
    assertThat(holdersOfTheToken(manifests)).isEmpty();
  }

  @Test
  void withoutTlsItReachesTheAdapterAndTheControllerAndNobodyElse() {
    Manifests plain = new Chart().set("tierApi.tls.enabled", false).render();

    assertThat(holdersOfTheToken(plain)).containsExactlyInAnyOrder("alluxio-adapter", "controller");
    assertThat(
            Manifests.env(
                Manifests.container(plain.one("DaemonSet", "-agent"), "alluxio-adapter"),
                "DYNIMS_ADAPTER_HTTP_TOKEN_FILE"))
        .isEqualTo("/etc/dynims/tier-token/token");
    assertThat(
            Manifests.env(
                Manifests.container(plain.one("Deployment", "-controller"), "controller"),
                "DYNIMS_PUSH_TOKEN_FILE"))
        .isEqualTo("/etc/dynims/tier-token/token");
  }

  @Test
  void aNamedSecretTakesThePlaceOfTheGeneratedToken() {
    Chart named = new Chart().set("tierApi.existingSecret", "our-token");
    Manifests secure = named.render();
    Manifests plain = named.set("tierApi.tls.enabled", false).render();

    assertThat(plain.ofKind("Secret"))
        .noneMatch(secret -> secret.at("/metadata/name").asText().endsWith("-token"));
    assertThat(secrets(plain.one("DaemonSet", "-agent"))).contains("our-token");
    assertThat(holdersOfTheToken(secure))
        .as("for adapters of before")
        .containsExactly("controller");
  }

  private static List<String> holdersOfTheToken(Manifests manifests) {
    return manifests.workloads().stream()
        .flatMap(each -> Manifests.containers(each).stream())
        .filter(
            each ->
                Manifests.stream(each.path("volumeMounts"))
                    .anyMatch(mount -> mount.path("name").asText().equals("tier-token")))
        .map(each -> each.path("name").asText())
        .toList();
  }

  private static boolean hasThem(JsonNode container) {
    return Manifests.stream(container.path("volumeMounts"))
        .anyMatch(mount -> mount.path("mountPath").asText().equals("/etc/dynims/kafka"));
  }
}
