package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pods of another store need to have an adapter, and the examples of such stores. */
class SidecarTest {

  private static final String RELEASE = "/metadata/labels/dynims.io~1release";
  private static final String SCHEME = "/metadata/annotations/dynims.io~1adapter-scheme";

  @ParameterizedTest
  @ValueSource(strings = {"redis", "memcached"})
  void theExampleHasWhatTheChartMakes(String store) {
    JsonNode pod = Manifests.podTemplate(example(store).one("StatefulSet", store));
    JsonNode patch = patch(new Chart().variant(store), store);

    for (String place : new String[] {"labels", "annotations"}) {
      patch
          .at("/metadata/" + place)
          .properties()
          .forEach(
              each ->
                  assertThat(pod.at("/metadata/" + place).get(each.getKey()))
                      .isEqualTo(each.getValue()));
    }
    assertThat(pod.at("/spec/containers/1")).isEqualTo(patch.at("/spec/containers/0"));
    assertThat(pod.at("/spec/volumes")).containsAll(patch.at("/spec/volumes"));
  }

  @ParameterizedTest
  @CsvSource({"redis, Redis, 6379", "memcached, Memcached, 11211"})
  void theExampleIsOneTier(String store, String type, String port) {
    Manifests example = example(store);
    JsonNode tier = example.one("MemoryTier", store);
    JsonNode set = example.one("StatefulSet", store);
    JsonNode adapter = Manifests.container(set, store + "-adapter");

    assertThat(tier.at("/spec/mode").asText()).as("harmless").isEqualTo("Recommend");
    assertThat(tier.at("/spec/store/type").asText()).isEqualTo(type);
    assertThat(Manifests.podTemplate(set).at("/metadata/labels/dynims.io~1store").asText())
        .isEqualTo(type);
    assertThat(Manifests.env(adapter, "DYNIMS_TIER_NAME")).isEqualTo(Manifests.name(tier));
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_STORE_ADDRESS"))
        .isEqualTo("127.0.0.1:" + port);
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_TIER_MAX"))
        .isEqualTo(tier.at("/spec/capacity/max").asText());
    assertThat(Manifests.podSpec(set).path("nodeSelector"))
        .isEqualTo(tier.at("/spec/nodes/selector/matchLabels"));
    assertThat(set.at("/spec/template/spec/containers/0/resources/limits").has("memory")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "memcached"})
  void theControllerFindsAndReachesIt(String store) {
    Manifests release = new Chart().variant(store).render();
    JsonNode patch = patch(new Chart().variant(store), store);
    JsonNode controller = release.one("Deployment", "-controller");
    JsonNode egress = release.one("NetworkPolicy", "-controller").at("/spec/egress/1");
    JsonNode ingress = example(store).one("NetworkPolicy", store).at("/spec/ingress/1");

    assertThat(
            Manifests.env(
                Manifests.container(controller, "controller"), "DYNIMS_KUBERNETES_AGENTS_SELECTOR"))
        .isEqualTo("dynims.io/release=" + patch.at(RELEASE).asText());
    assertThat(egress.at("/to/0/podSelector/matchLabels/dynims.io~1release"))
        .isEqualTo(patch.at(RELEASE));
    assertThat(egress.at("/ports/0/port"))
        .isEqualTo(patch.at("/spec/containers/0/ports/0/containerPort"));
    assertThat(ingress.at("/from/0/podSelector/matchLabels"))
        .isEqualTo(release.one("NetworkPolicy", "-controller").at("/spec/podSelector/matchLabels"));
    assertThat(patch.at("/spec/containers/0/ports/0/name")).isEqualTo(ingress.at("/ports/0/port"));
  }

  @Test
  void valuesOfBitnamisChartsHaveTheSame() {
    JsonNode redis = values(new Chart().variant("redis"), "redis");
    JsonNode memcached = values(new Chart().variant("memcached"), "memcached");

    isSame(redis.path("master"), patch(new Chart().variant("redis"), "redis"));
    isSame(memcached, patch(new Chart().variant("memcached"), "memcached"));
    assertThat(redis.at("/networkPolicy/extraIngress/0/ports/0/port").asInt()).isEqualTo(7070);
    assertThat(Chart.file("examples/bitnami-redis-values.yaml").at("/master/nodeSelector"))
        .isEqualTo(example("redis").one("StatefulSet", "").at("/spec/template/spec/nodeSelector"));
  }

  private static void isSame(JsonNode values, JsonNode patch) {
    assertThat(values.path("podLabels")).isEqualTo(patch.at("/metadata/labels"));
    assertThat(values.path("podAnnotations")).isEqualTo(patch.at("/metadata/annotations"));
    assertThat(values.path("sidecars")).isEqualTo(patch.at("/spec/containers"));
    assertThat(values.path("extraVolumes")).isEqualTo(patch.at("/spec/volumes"));
  }

  @Test
  void theAdapterHasTheSecretsOfTheReleaseAndAllContainersOfTheStoreHaveNone() {
    JsonNode patch =
        patch(
            new Chart()
                .variant("redis")
                .set("tierApi.tls.existingSecret", "our-tls")
                .set("tierApi.tls.controllerSecret", "the-controllers"),
            "redis");

    assertThat(patch.at("/spec/volumes").findValuesAsText("secretName"))
        .containsExactly("our-tls", "redis-auth");
    JsonNode store = example("redis").one("StatefulSet", "redis").at("/spec/template/spec");
    assertThat(store.at("/containers/0/volumeMounts").findValuesAsText("name"))
        .noneMatch(name -> name.startsWith("dynims-"));
    assertThat(patch.toString()).doesNotContain("secretKeyRef");
  }

  @Test
  void withoutTlsTheAdapterIsCalledOverHttp() {
    JsonNode patch = patch(new Chart().variant("redis").set("tierApi.tls.enabled", false), "redis");

    assertThat(patch.at(SCHEME).asText()).isEqualTo("http");
    assertThat(patch.toString()).doesNotContain("tls").contains("dynims-tier-token");
  }

  @Test
  void theStoreIsNotTakenFromItsClientsWhenTheAdapterIsSlow() {
    JsonNode adapter = patch(new Chart().variant("redis"), "redis").at("/spec/containers/0");

    assertThat(adapter.has("readinessProbe")).isFalse();
    assertThat(adapter.has("livenessProbe")).isTrue();
    assertThat(adapter.at("/resources/limits").has("memory"))
        .as("it would be taken for the node's memory")
        .isFalse();
  }

  @Test
  void agentsWithoutAlluxioOnlySample() {
    Manifests manifests = new Chart().variant("redis").render();
    JsonNode agent = manifests.one("DaemonSet", "-agent");

    assertThat(Manifests.containers(agent))
        .extracting(each -> each.path("name").asText())
        .containsExactly("render-collectd-conf", "collectd");
    assertThat(Manifests.podTemplate(agent).at(RELEASE).isMissingNode()).isTrue();
    assertThat(Manifests.podSpec(agent).path("volumes").findValuesAsText("name"))
        .containsExactlyInAnyOrder("tmp", "run");
    assertThat(manifests.ofKind("NetworkPolicy"))
        .noneMatch(each -> Manifests.name(each).endsWith("-agent"));
  }

  @Test
  void nothingOfItIsThereByDefault() {
    assertThat(new Chart().render().ofKind("ConfigMap"))
        .noneMatch(each -> Manifests.name(each).endsWith("-sidecar"));
  }

  static Manifests example(String store) {
    try {
      return new Manifests(
          Chart.parse(Files.readString(Chart.FOLDER.resolve("examples").resolve(store + ".yaml"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The pod template that the chart's patch adds. */
  static JsonNode patch(Chart chart, String store) {
    return Chart.parse(data(chart, store).path("patch.yaml").asText()).get(0).at("/spec/template");
  }

  private static JsonNode values(Chart chart, String store) {
    return Chart.parse(data(chart, store).path("values.yaml").asText()).get(0);
  }

  private static JsonNode data(Chart chart, String store) {
    return chart.render().one("ConfigMap", "-" + store + "-sidecar").path("data");
  }
}
