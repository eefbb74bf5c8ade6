package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every pod meets the restricted pod security standard, but for one volume of each agent. */
class PodSecurityTest {

  private static final Set<String> ALLOWED_VOLUMES =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "persistentVolumeClaim",
          "projected",
          "secret");

  @TempDir Path scratch;

  @ParameterizedTest
  @MethodSource("io.dynims.charts.Chart#variants")
  void podsAreRestricted(String variant) throws Exception {
    for (JsonNode workload : new Chart().variant(variant).renderWithTest(scratch).workloads()) {
      podIsRestricted(workload);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "memcached"})
  void podsOfExamplesAreRestricted(String store) {
    podIsRestricted(SidecarTest.example(store).one("StatefulSet", store));
  }

  private static void podIsRestricted(JsonNode workload) {
    JsonNode pod = Manifests.podSpec(workload);
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.at("/securityContext/runAsUser").asInt(1)).isNotZero();
    assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    for (String host : List.of("hostNetwork", "hostIPC")) {
      assertThat(pod.has(host)).as(host).isFalse();
    }
    // Processes that share an arena have to be of one PID namespace; its folder of the node needs
    // as
    // much permission.
    boolean hasArena = Manifests.name(workload).matches("dynims-mpiio|mpi-program");
    assertThat(pod.path("hostPID").asBoolean()).as("hostPID").isEqualTo(hasArena);
    Manifests.containers(workload).forEach(PodSecurityTest::isRestricted);
  }

  private static void isRestricted(JsonNode container) {
    JsonNode context = container.path("securityContext");
    assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(context.path("privileged").asBoolean(false)).isFalse();
    assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(Manifests.texts(context.at("/capabilities/drop"))).containsExactly("ALL");
    assertThat(context.at("/capabilities").has("add")).isFalse();
    assertThat(context.at("/runAsNonRoot").asBoolean(true)).isTrue();
    Manifests.stream(container.path("ports"))
        .forEach(port -> assertThat(port.has("hostPort")).isFalse());
    for (String quantity : List.of("cpu", "memory")) {
      assertThat(container.at("/resources/requests").has(quantity)).as(quantity).isTrue();
    }
  }

  @Test
  void theProgramOfAnExampleIsRestricted() {
    podIsRestricted(SidecarTest.example("mpi-job").one("Job", "mpi-program"));
  }

  @ParameterizedTest
  @MethodSource("io.dynims.charts.Chart#variants")
  void onlyAgentsHaveAFolderOfTheNodeAndOnlyThatOfMpiIoWritesToIt(String variant) throws Exception {
    for (JsonNode workload : new Chart().variant(variant).renderWithTest(scratch).workloads()) {
      for (JsonNode volume : Manifests.podSpec(workload).path("volumes")) {
        if (ALLOWED_VOLUMES.stream().anyMatch(volume::has)) {
          continue;
        }
        assertThat(volume.has("hostPath")).as("%s", volume).isTrue();
        assertThat(Manifests.name(workload)).matches("dynims-(agent(-[a-z]+)?|mpiio)");
        assertThat(mountsOf(workload, volume.path("name").asText()))
            .isNotEmpty()
            .allSatisfy(mount -> assertThat(mount.path("readOnly").asBoolean()).isTrue());
      }
    }
  }

  @Test
  void noPodHasAFolderOfTheNodeInARestrictedNamespace() throws Exception {
    for (JsonNode workload :
        new Chart().variant("restricted").renderWithTest(scratch).workloads()) {
      for (JsonNode volume : Manifests.podSpec(workload).path("volumes")) {
        assertThat(ALLOWED_VOLUMES.stream().anyMatch(volume::has)).as("%s", volume).isTrue();
      }
    }
  }

  private static List<JsonNode> mountsOf(JsonNode workload, String volume) {
    return Manifests.containers(workload).stream()
        .filter(container -> !container.path("name").asText().matches("mpiio-agent|make-directory"))
        .flatMap(container -> Manifests.stream(container.path("volumeMounts")))
        .filter(mount -> mount.path("name").asText().equals(volume))
        .toList();
  }
}
