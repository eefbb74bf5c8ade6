package io.dynims.charts;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who shows and who checks certificates, and where they come from. */
class CertificatesTest {

  private static final String HAS_ARGO_CD =
      ".Capabilities.APIVersions.Has \"argoproj.io/v1alpha1/Application\"";

  private static final String ASKS_THE_CLUSTER = "lookup \"v1\" \"Namespace\" \"\" \"kube-system\"";

  @TempDir Path scratch;

  @ParameterizedTest
  @CsvSource({
    "dynims-tier-tls, dynims-agent",
    "dynims-push-tls, dynims-controller",
    "dynims-flink-tls, dynims-flink"
  })
  void theChartMakesOnesThatOurProgramsCanUse(String secret, String name) throws Exception {
    JsonNode data = new Chart().render().one("Secret", secret).path("data");
    TlsFiles.Paths paths =
        new TlsFiles.Paths(
            Optional.of(file(data, "tls.crt")),
            Optional.of(file(data, "tls.key")),
            Optional.of(file(data, "ca.crt")));

    try (TlsFiles files = TlsFiles.open(paths)) {
      var own = files.keyManager().orElseThrow();
      var chain = own.getCertificateChain(own.chooseEngineServerAlias("EC", null, null));
      // Signed by the authority.
      files.trustManager().orElseThrow().checkServerTrusted(chain, "ECDHE_ECDSA");
      assertThat(chain[0].getSubjectAlternativeNames())
          .singleElement()
          .satisfies(each -> assertThat(each.get(1)).hasToString(name));
    }
  }

  @Test
  void adaptersAndTheControllerKnowEachOtherByThem() {
    Manifests manifests = new Chart().render();
    JsonNode agent = manifests.one("DaemonSet", "-agent");
    JsonNode adapter = Manifests.container(agent, "alluxio-adapter");
    JsonNode controller = manifests.one("Deployment", "-controller");
    JsonNode pusher = Manifests.container(controller, "controller");

    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_HTTP_TLS_CERTIFICATE"))
        .isEqualTo("/etc/dynims/tier-tls/tls.crt");
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_HTTP_TLS_KEY"))
        .isEqualTo("/etc/dynims/tier-tls/tls.key");
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_HTTP_TLS_CA"))
        .isEqualTo("/etc/dynims/tier-tls/ca.crt");
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_HTTP_TLS_CLIENT_NAME"))
        .isEqualTo("dynims-controller");
    assertThat(
            Manifests.podTemplate(agent)
                .at("/metadata/annotations/dynims.io~1adapter-scheme")
                .asText())
        .isEqualTo("https");
    assertThat(Manifests.env(pusher, "DYNIMS_PUSH_TLS_CA"))
        .isEqualTo("/etc/dynims/push-tls/ca.crt");
    assertThat(Manifests.env(pusher, "DYNIMS_PUSH_TLS_SERVER_NAME")).isEqualTo("dynims-agent");
    assertThat(Manifests.env(pusher, "DYNIMS_PUSH_TLS_CERTIFICATE"))
        .isEqualTo("/etc/dynims/push-tls/tls.crt");
    assertThat(Manifests.env(pusher, "DYNIMS_PUSH_TLS_KEY"))
        .isEqualTo("/etc/dynims/push-tls/tls.key");
    assertThat(secrets(controller)).contains("dynims-push-tls").doesNotContain("dynims-tier-tls");
    assertThat(secrets(agent)).contains("dynims-tier-tls").doesNotContain("dynims-push-tls");
  }

  @Test
  void withoutTlsNothingOfItIsLeft() {
    Manifests manifests =
        new Chart()
            .set("tierApi.tls.enabled", false)
            .set("flink.internalTls.enabled", false)
            .render();

    assertThat(manifests.ofKind("Secret")).hasSize(1);
    for (JsonNode workload : manifests.workloads()) {
      assertThat(workload.toString()).doesNotContain("tls", "https");
    }
    assertThat(flinkConfig(manifests)).doesNotContain("tls");
  }

  @Test
  void certManagerMakesThemWhereThereIsAnIssuer() {
    Manifests manifests =
        new Chart().set("tls.issuer.name", "internal").set("tls.issuer.kind", "Issuer").render();

    assertThat(manifests.ofKind("Secret")).isEmpty();
    assertThat(manifests.ofKind("Certificate"))
        .extracting(each -> each.at("/spec/secretName").asText())
        .containsExactlyInAnyOrder("dynims-tier-tls", "dynims-push-tls", "dynims-flink-tls");
    assertThat(manifests.ofKind("Certificate"))
        .allSatisfy(
            each -> {
              assertThat(each.at("/spec/issuerRef/name").asText()).isEqualTo("internal");
              assertThat(each.at("/spec/dnsNames/0").asText()).startsWith("dynims-");
            });
  }

  /**
   * Argo CD, whose API the cluster has, renders without asking it: each sync would bring others.
   */
  @Test
  void noneIsMadeByTheChartWhereArgoCdRendersIt() throws Exception {
    assertThatThrownBy(new Chart(argoCd("dict")).set("tierApi.tls.enabled", false)::render)
        .hasMessageContaining("tierApi.existingSecret: is empty, and Argo CD would make");
    assertThatThrownBy(new Chart(argoCd("dict"))::render)
        .hasMessageContaining("tls.issuer: is empty, and Argo CD would make");

    assertThat(new Chart(argoCd("dict")).variant("gitops").render().ofKind("Secret")).isEmpty();
    assertThat(
            new Chart(argoCd("dict"))
                .set("tierApi.tls.existingSecret", "ours")
                .set("tierApi.tls.controllerSecret", "controllers")
                .set("flink.internalTls.existingSecret", "flinks")
                .render()
                .ofKind("Secret"))
        .isEmpty();
    assertThat(new Chart(argoCd("dict \"kind\" \"Namespace\"")).render().ofKind("Secret"))
        .as("Helm itself, where there is an Argo CD")
        .hasSize(3);
  }

  /** A chart for a cluster that has Argo CD, and in which this is found. */
  private Path argoCd(String found) throws IOException {
    Path chart = Chart.copy(Files.createTempDirectory(scratch, "argo"));
    Path helpers = chart.resolve("templates/_helpers.tpl");
    String text = Files.readString(helpers);
    assertThat(text).contains(HAS_ARGO_CD, ASKS_THE_CLUSTER);

    Files.writeString(helpers, text.replace(HAS_ARGO_CD, "true").replace(ASKS_THE_CLUSTER, found));
    return chart;
  }

  @Test
  void namedSecretsTakeTheirPlace() {
    Manifests manifests =
        new Chart()
            .set("tierApi.tls.existingSecret", "ours")
            .set("tierApi.tls.controllerSecret", "controllers")
            .set("flink.internalTls.existingSecret", "flinks")
            .render();

    assertThat(manifests.ofKind("Secret")).isEmpty();
    assertThat(secrets(manifests.one("DaemonSet", "-agent"))).contains("ours");
    assertThat(secrets(manifests.one("Deployment", "-controller"))).contains("controllers");
    assertThat(secrets(manifests.one("Deployment", "-jobmanager"))).contains("flinks");
    assertThat(secrets(manifests.one("Deployment", "-taskmanager"))).contains("flinks");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tierApi.tls.existingSecret", "tierApi.tls.controllerSecret"})
  void oneNamedSecretNeedsTheOther(String value) {
    Chart chart = new Chart().set(value, "ours");

    assertThatThrownBy(chart::render)
        .hasMessageContaining("tierApi.tls.controllerSecret: is needed");
  }

  @Test
  void flinksProcessesHaveOne() {
    assertThat(flinkConfig(new Chart().render()))
        .contains("dynims.internal.tls.certificate: \"/etc/dynims/flink-tls/tls.crt\"")
        .contains("dynims.internal.tls.key: \"/etc/dynims/flink-tls/tls.key\"")
        .contains("dynims.internal.tls.ca: \"/etc/dynims/flink-tls/ca.crt\"");
  }

  @Test
  void flinksRestPortIsOffUnlessAskedFor() {
    Manifests off = new Chart().render();
    Manifests on = new Chart().set("flink.port", 8081).render();

    assertThat(flinkConfig(off))
        .contains("rest.bind-address: \"127.0.0.1\"")
        .contains("dynims.rest.allowed: \"None\"");
    assertThat(off.one("Service", "-jobmanager").toString()).doesNotContain("rest");
    assertThat(flinkConfig(on))
        .contains("rest.bind-address: \"0.0.0.0\"")
        .contains("rest.port: 8081")
        .contains("dynims.rest.allowed: \"Reading\"");
    assertThat(on.one("Service", "-jobmanager").toString()).contains("8081");
  }

  @Test
  void theControllersCredentialsAreOnDemand() {
    Manifests manifests =
        new Chart()
            .set("controller.tokenSecret", "rest-token")
            .set("controller.tlsSecret", "rest-tls")
            .set("monitoring.serviceMonitor.enabled", true)
            .render();
    JsonNode workload = manifests.one("Deployment", "-controller");
    JsonNode controller = Manifests.container(workload, "controller");

    assertThat(Manifests.env(controller, "DYNIMS_HTTP_TOKEN_FILE"))
        .isEqualTo("/etc/dynims/http-token/token");
    assertThat(Manifests.env(controller, "DYNIMS_HTTP_TLS_CERTIFICATE"))
        .isEqualTo("/etc/dynims/http-tls/tls.crt");
    assertThat(controller.at("/readinessProbe/httpGet/scheme").asText()).isEqualTo("HTTPS");
    assertThat(secrets(workload)).contains("rest-token", "rest-tls");
    JsonNode endpoint = manifests.one("ServiceMonitor", "-controller").at("/spec/endpoints/0");
    assertThat(endpoint.path("scheme").asText()).isEqualTo("https");
    assertThat(endpoint.at("/authorization/credentials/name").asText()).isEqualTo("rest-token");
  }

  @Test
  void agentsAreScrapedOverHttps() {
    JsonNode endpoint =
        new Chart()
            .set("monitoring.podMonitor.enabled", true)
            .render()
            .one("PodMonitor", "-agent")
            .at("/spec/podMetricsEndpoints/0");

    assertThat(endpoint.path("scheme").asText()).isEqualTo("https");
    assertThat(endpoint.at("/tlsConfig/serverName").asText()).isEqualTo("dynims-agent");
    assertThat(endpoint.at("/tlsConfig/ca/secret/name").asText()).isEqualTo("dynims-tier-tls");
  }

  private static String flinkConfig(Manifests manifests) {
    return manifests.one("ConfigMap", "-flink").at("/data/config.yaml").asText();
  }

  private static List<String> secrets(JsonNode workload) {
    return Manifests.stream(Manifests.podSpec(workload).path("volumes"))
        .map(volume -> volume.at("/secret/secretName").asText())
        .toList();
  }

  private Path file(JsonNode data, String key) throws IOException {
    byte[] text = Base64.getDecoder().decode(data.path(key).asText());
    return Files.writeString(scratch.resolve(key), new String(text, US_ASCII));
  }
}
