package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.quantity.Quantities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/scheduling.md promises of the values that it names. */
class SchedulingTest {

  private static final Path CHAPTER = Path.of("../docs/scheduling.md");
  private static final Set<String> CRITICAL =
      Set.of("system-node-critical", "system-cluster-critical");

  private final Manifests manifests = new Chart().variant("scheduling").render();
  private final JsonNode alluxio = Chart.file("examples/alluxio-values.yaml");

  @Test
  void noProgramCanUseMoreThanItRequests() {
    for (JsonNode workload : manifests.workloads()) {
      for (JsonNode container : Manifests.containers(workload)) {
        JsonNode resources = container.path("resources");
        String name = container.path("name").asText();
        assertThat(resources.at("/requests").has("cpu")).as(name).isTrue();
        assertThat(resources.at("/requests/memory"))
            .as(name)
            .isEqualTo(resources.at("/limits/memory"));
        if (name.equals("alluxio-adapter")) {
          // Its JVM's options bound it: heap, code, direct memory and 80 MiB of everything else.
          assertThat(bytes(resources.at("/limits/memory")))
              .isGreaterThan((48 + 24 + 8 + 80L) << 20);
        }
      }
    }
  }

  @Test
  void everyPodHasAPriorityAboveTheJobs() {
    assertThat(manifests.workloads())
        .hasSize(4)
        .allSatisfy(
            each ->
                assertThat(Manifests.podSpec(each).path("priorityClassName").asText())
                    .as(Manifests.name(each))
                    .isIn(CRITICAL));
  }

  /** A pod that uses more than it requests is evicted first, which is when it is needed. */
  @Test
  void byDefaultNoProgramUsesMoreThanItRequests() throws IOException {
    Matcher measured =
        Pattern.compile("Measured: (\\d+) MiB.*\\R *resources:\\R *requests: .*memory: (\\d+Mi)")
            .matcher(Files.readString(Chart.FOLDER.resolve("values.yaml")));
    int found = 0;
    while (measured.find()) {
      assertThat(Quantities.bytes(measured.group(2)))
          .as(measured.group())
          .isGreaterThan(Long.parseLong(measured.group(1)) << 20);
      found++;
    }
    assertThat(found).isGreaterThan(4);
  }

  @Test
  void theControllerAndTheAgentsAreAmongTheLastToGo() {
    Manifests all = new Chart().render();

    assertThat(priority(all.one("Deployment", "-controller"))).isEqualTo("system-cluster-critical");
    assertThat(priority(all.one("DaemonSet", "-agent"))).isEqualTo("system-node-critical");
  }

  @Test
  void theQuotaLetsInEveryPriorityOfTheRelease() {
    Manifests all =
        new Chart().variant("gke").set("flink.jobManager.priorityClassName", "ours").render();
    JsonNode quota = all.one("ResourceQuota", "-agent");

    assertThat(Manifests.texts(quota.at("/spec/scopeSelector/matchExpressions/0/values")))
        .containsExactlyInAnyOrder("system-cluster-critical", "system-node-critical", "ours")
        .containsAll(
            all.workloads().stream()
                .map(SchedulingTest::priority)
                .filter(name -> !name.isEmpty())
                .toList());
  }

  private static String priority(JsonNode workload) {
    return Manifests.podSpec(workload).path("priorityClassName").asText();
  }

  @Test
  void agentsRunWhereJobsMayRun() {
    assertThat(Manifests.podSpec(manifests.one("DaemonSet", "-agent")).path("tolerations"))
        .isEqualTo(Chart.parse("[{operator: Exists}]").get(0));
  }

  @Test
  void workersRequestTheTiersMinimumAndMayHoldItsQuota() throws IOException {
    String options = alluxio.at("/worker/jvmOptions").asText();
    long processBytes =
        bytes(options, "-Xmx(\\d+)g") + bytes(options, "MaxDirectMemorySize=(\\d+)g");
    long quotaBytes = bytes(alluxio.at("/tieredstore/levels/0/quota"));
    long minBytes = bytes(Files.readString(CHAPTER), "min: (\\d+)Gi");
    JsonNode resources = alluxio.at("/worker/resources");

    assertThat(bytes(resources.at("/requests/memory")))
        .isGreaterThanOrEqualTo(processBytes + minBytes)
        .isLessThan(processBytes + quotaBytes / 4);
    assertThat(bytes(resources.at("/limits/memory")))
        .isGreaterThanOrEqualTo(processBytes + quotaBytes);
  }

  @Test
  void theChapterNamesBothFilesAndTheirFigures() throws IOException {
    String chapter = Files.readString(CHAPTER);

    assertThat(chapter)
        .contains("(../charts/dynims/ci/scheduling-values.yaml)")
        .contains("(../charts/dynims/examples/alluxio-values.yaml)");
    for (String figure : new String[] {"requests", "limits"}) {
      String memory = alluxio.at("/worker/resources/" + figure + "/memory").asText();
      assertThat(chapter).contains(memory);
    }
  }

  private static long bytes(JsonNode quantity) {
    return Quantities.bytes(quantity.asText());
  }

  private static long bytes(String text, String gibibytes) {
    Matcher matcher = Pattern.compile(gibibytes).matcher(text);
    assertThat(matcher.find()).as(gibibytes).isTrue();
    return Long.parseLong(matcher.group(1)) << 30;
  }
}
