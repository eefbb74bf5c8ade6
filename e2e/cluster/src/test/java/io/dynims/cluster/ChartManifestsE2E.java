package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart's manifests against the schemas of a real Kubernetes. */
class ChartManifestsE2E {

  private static Cluster cluster;

  @TempDir Path scratch;

  @BeforeAll
  static void start() {
    cluster = Cluster.shared();
  }

  static Stream<Path> variants() throws IOException {
    try (Stream<Path> files = Files.list(ChartNamespace.VALUES)) {
      List<Path> found = files.filter(f -> f.toString().endsWith("-values.yaml")).sorted().toList();
      assertThat(found).isNotEmpty();
      return found.stream();
    }
  }

  @Test
  void theDefaultsAreValid() throws IOException {
    isValid();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyDocumentedVariantIsValid(Path values) throws IOException {
    isValid("--values=" + values);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "memcached", "mpiio"})
  void everyExampleIsValid(String store) throws IOException {
    String example = Files.readString(ChartNamespace.CHART.resolve("examples/" + store + ".yaml"));

    assertThat(kubeconform(example).succeeded()).contains("Invalid: 0, Errors: 0, Skipped: 1");
  }

  private void isValid(String... values) throws IOException {
    helm(with(values, "lint", "--strict", ChartNamespace.CHART.toString()));
    String rendered = helm(with(values, "template", "dynims", ChartNamespace.CHART.toString()));
    assertThat(kubeconform(rendered).succeeded()).contains("Invalid: 0, Errors: 0");
  }

  @ParameterizedTest
  @CsvSource({"replicas: 2, replicas: two", "replicas: 2, replica: 2", "kind: Deployment, kind: X"})
  void anInvalidManifestIsRefused(String right, String wrong) throws IOException {
    String rendered = helm("template", "dynims", ChartNamespace.CHART.toString());
    assertThat(rendered).contains(right);

    assertThat(kubeconform(rendered.replace(right, wrong)).exitCode()).isNotZero();
  }

  /** The schemas are those of this Kubernetes; it has none of other operators' resources. */
  private Ended kubeconform(String manifests) throws IOException {
    Path file = Files.writeString(scratch.resolve("manifests.yaml"), manifests);
    return Ended.run(
        Map.of(),
        "",
        List.of(
            cluster.program("kubeconform").toString(),
            "-strict",
            "-summary",
            "-skip=ServiceMonitor,PodMonitor,PrometheusRule,MemoryTier"
                + ",KafkaTopic,KafkaUser,FlinkDeployment,Certificate",
            "-schema-location=" + cluster.schemas() + "/{{.ResourceKind}}{{.KindSuffix}}.json",
            file.toString()));
  }

  private static String helm(String... arguments) {
    return cluster.helm().run(arguments);
  }

  private static String[] with(String[] last, String... first) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
  }
}
