package io.dynims.charts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.marcnuri.helm.Helm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart as ./release packages it. */
class PackagedChartTest {

  private static final Path PACKAGE = Path.of("../dist/packages/chart");

  @TempDir Path scratch;

  @Test
  void helmTakesItAndItsImagesAreThoseThatWerePushed() throws Exception {
    Path chart = make("1.2.3", "registry.example.com/dynims").resolve("dynims-1.2.3.tgz");

    assertThat(new Helm(chart).lint().strict().call().isFailed()).isFalse();
    Set<String> images = new TreeSet<>();
    for (JsonNode workload : new Manifests(Chart.parse(rendered(chart))).workloads()) {
      Manifests.containers(workload).forEach(each -> images.add(each.path("image").asText()));
    }
    assertThat(images)
        .hasSizeGreaterThan(3)
        .allMatch(
            image -> image.matches("registry\\.example\\.com/dynims/dynims-[a-z-]+:1\\.2\\.3"));
  }

  @Test
  void withoutARegistryImagesAreNamedAsTheyAreBuilt() throws Exception {
    Path chart = make("1.2.3-rc.1", "").resolve("dynims-1.2.3-rc.1.tgz");

    assertThat(rendered(chart)).contains("image: dynims-controller:1.2.3-rc.1\n");
  }

  /** With Secrets that are there, so that the chart does not look for its own in a cluster. */
  private static String rendered(Path chart) {
    var template = new Helm(chart).template().withName("dynims").withNamespace("memory");
    template.withKubeVersion(Chart.KUBERNETES);
    return template
        .set("tierApi.existingSecret", "token")
        .set("tierApi.tls.existingSecret", "tls")
        .set("tierApi.tls.controllerSecret", "controller")
        .set("flink.internalTls.existingSecret", "flink")
        .call();
  }

  @Test
  void theSameChartMakesTheSameFiles() throws Exception {
    Path one = make("1.2.3", "");
    Path other = make("1.2.3", "");

    for (String name : List.of("dynims-1.2.3.tgz", "dynims-1.2.3.oci.tar")) {
      assertThat(one.resolve(name)).hasSameBinaryContentAs(other.resolve(name));
    }
  }

  @Test
  void theOciLayoutHasTheChartUnderItsDigest() throws Exception {
    Path made = make("1.2.3", "");
    Path layout = Files.createDirectory(scratch.resolve("layout"));
    run("tar", "-xf", made.resolve("dynims-1.2.3.oci.tar").toString(), "-C", layout.toString());

    JsonNode index = new ObjectMapper().readTree(layout.resolve("index.json").toFile());
    JsonNode manifest = new ObjectMapper().readTree(blob(layout, index.at("/manifests/0")));
    JsonNode config = new ObjectMapper().readTree(blob(layout, manifest.path("config")));

    assertThat(config.path("name").asText()).isEqualTo("dynims");
    assertThat(config.path("version").asText()).isEqualTo("1.2.3");
    assertThat(manifest.at("/config/mediaType").asText())
        .isEqualTo("application/vnd.cncf.helm.config.v1+json");
    assertThat(manifest.at("/layers/0/mediaType").asText())
        .isEqualTo("application/vnd.cncf.helm.chart.content.v1.tar+gzip");
    assertThat(blob(layout, manifest.at("/layers/0")))
        .isEqualTo(Files.readAllBytes(made.resolve("dynims-1.2.3.tgz")));
  }

  /** The content of a descriptor, which has to be what it says. */
  private static byte[] blob(Path layout, JsonNode descriptor) throws Exception {
    String digest = descriptor.path("digest").asText();
    byte[] content = Files.readAllBytes(layout.resolve("blobs").resolve(digest.replace(':', '/')));
    assertThat(content).hasSize(descriptor.path("size").asInt());
    byte[] sum = MessageDigest.getInstance("SHA-256").digest(content);
    assertThat("sha256:" + HexFormat.of().formatHex(sum)).isEqualTo(digest);
    return content;
  }

  private Path make(String version, String registry) throws Exception {
    Path out = Files.createTempDirectory(scratch, "out");
    run(PACKAGE.toString(), Chart.FOLDER.toString(), version, registry, out.toString());
    return out;
  }

  private void run(String... command) throws Exception {
    Path log = Files.createTempFile(scratch, "log", "");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("SOURCE_DATE_EPOCH", "1795000000");
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log, UTF_8)).isZero();
  }
}
