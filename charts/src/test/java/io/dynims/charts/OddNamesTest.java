package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A name that YAML reads as a number or as a truth value stays a name, wherever it is rendered. */
class OddNamesTest {

  /** Short hashes of commits and numbers of pull requests among them. */
  private static final List<String> ODD = List.of("123", "4711", "1e5", "true", "null");

  private static final List<String> PLAIN = List.of("one", "two", "three", "four", "five");

  private static final String OVERRIDE = "nameOverride: NAME";

  /** All that a release can have at once. */
  private static final String EVERYTHING =
      """
      fullnameOverride: OTHER
      nameOverride: NAME
      commonLabels: {team: NAME}
      image: {tag: NAME}
      imagePullSecrets: [NAME]
      watchNamespaces: [NAME, OTHER]
      kafka: {bootstrapServers: "kafka:9093", existingSecret: NAME, agentSecret: OTHER}
      alluxio:
        existingSecret: NAME
        tier: {name: NAME, alias: NAME, directory: NAME}
        runtimes:
          - {name: NAME, nodeSelector: {pool: NAME}}
          - {name: OTHER, nodeSelector: {pool: OTHER}}
      tierApi: {existingSecret: NAME, tls: {existingSecret: NAME, controllerSecret: OTHER}}
      controller:
        podHints: true
        share: true
        tokenSecret: NAME
        serviceAccount: {name: NAME, annotations: {note: NAME}}
        service: {annotations: {note: NAME}}
        podLabels: {owner: NAME}
        podAnnotations: {note: NAME}
        priorityClassName: NAME
      agent:
        serviceAccount: {name: OTHER}
        resourceQuota: {enabled: true}
        priorityClassName: NAME
      stores:
        redis: &store
          enabled: true
          tier: {name: NAME, max: 4Gi}
          passwordSecret: NAME
          passwordKey: NAME
        memcached: *store
        mpiio:
          enabled: true
          tier: {name: NAME, max: 4Gi}
          directory: NAME
          priorityClassName: NAME
      flink:
        port: 8081
        internalTls: {existingSecret: NAME}
        jobManager: {priorityClassName: NAME}
        taskManager: {priorityClassName: NAME}
      monitoring:
        serviceMonitor: &scraped {enabled: true, labels: {prometheus: NAME}}
        podMonitor: *scraped
        prometheusRule: *scraped
        dashboard: {enabled: true, labels: {grafana: NAME}}
      """;

  /** With Strimzi, Flink's operator and cert-manager. */
  private static final String OPERATORS =
      """
      nameOverride: NAME
      kafka: {strimzi: {cluster: NAME, user: OTHER, caSecret: NAME}}
      tls: {issuer: {name: NAME, kind: ClusterIssuer}}
      flink: {deployment: FlinkDeployment, operator: {serviceAccount: NAME}, jobManager: {priorityClassName: NAME}}
      """;

  @TempDir Path scratch;

  static Stream<String> variants() throws Exception {
    return Chart.variants();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void releaseNamespaceAndNameOverrideStayNamesInEveryVariant(String variant) throws Exception {
    isRenderedAlike(render(ODD, OVERRIDE, variant), render(PLAIN, OVERRIDE, variant));
  }

  @Test
  void everyNameInValuesStaysAName() throws Exception {
    isRenderedAlike(render(ODD, EVERYTHING), render(PLAIN, EVERYTHING));
  }

  @Test
  void everyNameThatOperatorsUseStaysAName() throws Exception {
    isRenderedAlike(render(ODD, OPERATORS), render(PLAIN, OPERATORS));
  }

  /** A Service is named as a host, which begins with a letter. */
  @Test
  void servicesOfANumberedReleaseHaveNamesThatKubernetesAccepts() throws Exception {
    assertThat(render(ODD, OVERRIDE, "default").ofKind("Service"))
        .isNotEmpty()
        .extracting(Manifests::name)
        .allMatch(name -> name.matches("[a-z]([-a-z0-9]*[a-z0-9])?"));
  }

  private Manifests render(List<String> names, String values, String... variants) throws Exception {
    Path file = Files.createTempFile(scratch, "values", ".yaml");
    String name = "\"" + names.get(2) + "\"";
    String other = "\"" + names.get(3) + "\"";
    Files.writeString(file, values.replace("NAME", name).replace("OTHER", other));
    Chart chart = new Chart().release(names.get(0), names.get(1)).values(file);
    for (String variant : variants) {
      chart.variant(variant);
    }
    return chart.renderWithTest(Files.createTempDirectory(scratch, "chart"));
  }

  private static void isRenderedAlike(Manifests odd, Manifests plain) {
    assertThat(odd.all()).hasSameSizeAs(plain.all());
    for (int i = 0; i < plain.all().size(); i++) {
      JsonNode expected = plain.all().get(i);
      isAlike(odd.all().get(i), expected, expected.path("kind").asText());
    }
  }

  /** The same shape and types; texts that are YAML themselves, as a ConfigMap has them, as well. */
  private static void isAlike(JsonNode odd, JsonNode plain, String where) {
    assertThat(odd.getNodeType()).as("%s: %s", where, odd).isEqualTo(plain.getNodeType());
    if (plain.isObject()) {
      assertThat(odd.fieldNames()).as(where).toIterable().hasSameElementsAs(names(plain));
      names(plain).forEach(name -> isAlike(odd.get(name), plain.get(name), where + "/" + name));
    } else if (plain.isArray()) {
      assertThat(odd).as(where).hasSameSizeAs(plain);
      for (int i = 0; i < plain.size(); i++) {
        isAlike(odd.get(i), plain.get(i), where + "/" + i);
      }
    } else if (plain.isTextual() && plain.asText().contains(": ")) {
      List<JsonNode> inner = documents(plain.asText());
      if (inner.size() == 1 && inner.get(0).isObject()) {
        isAlike(documents(odd.asText()).get(0), inner.get(0), where);
      }
    }
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  private static List<JsonNode> documents(String text) {
    try {
      return Chart.parse(text);
    } catch (YamlEngineException e) {
      return List.of();
    }
  }
}
