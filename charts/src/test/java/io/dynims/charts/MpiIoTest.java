package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.quantity.Quantities;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent of a cache under MPI-IO, its adapter, and a program that uses it. */
class MpiIoTest {

  private final Manifests manifests = new Chart().variant("mpiio").render();
  private final JsonNode set = manifests.one("DaemonSet", "-mpiio");
  private final JsonNode agent = Manifests.container(set, "mpiio-agent");
  private final JsonNode adapter = Manifests.container(set, "mpiio-adapter");
  private final JsonNode program = SidecarTest.example("mpi-job").one("Job", "mpi-program");

  @Test
  void isNotThereByDefault() {
    assertThat(new Chart().render().ofKind("DaemonSet")).hasSize(1);
    assertThat(new Chart().render().ofKind("NetworkPolicy"))
        .noneMatch(each -> Manifests.name(each).endsWith("-mpiio"));
  }

  @Test
  void isFoundByTheController() {
    JsonNode metadata = Manifests.podTemplate(set).path("metadata");

    assertThat(metadata.at("/labels/dynims.io~1release").asText()).isEqualTo("dynims");
    assertThat(metadata.at("/labels/dynims.io~1store").asText()).isEqualTo("MpiIo");
    assertThat(metadata.at("/labels/app.kubernetes.io~1component").asText()).isEqualTo("mpiio");
    assertThat(metadata.at("/annotations/dynims.io~1adapter-scheme").asText()).isEqualTo("https");
    assertThat(adapter.at("/ports/0/name").asText()).isEqualTo("tier-api");
    assertThat(adapter.at("/env/0/valueFrom/fieldRef/fieldPath").asText())
        .isEqualTo("spec.nodeName");
  }

  @Test
  void onlyTheControllerReachesTheAdapter() {
    JsonNode ingress = manifests.one("NetworkPolicy", "-mpiio").at("/spec/ingress");

    assertThat(ingress).hasSize(1);
    assertThat(ingress.at("/0/from")).hasSize(1);
    assertThat(
            ingress.at("/0/from/0/podSelector/matchLabels/app.kubernetes.io~1component").asText())
        .isEqualTo("controller");
    assertThat(ingress.at("/0/ports/0/port")).isEqualTo(adapter.at("/ports/0/containerPort"));
  }

  @Test
  void theAdapterAsksTheAgentBesideIt() {
    assertThat(Manifests.texts(agent.path("args")))
        .containsSubsequence("--directory", "/arena/dynims-mpiio")
        .containsSubsequence("--max", "4294967296")
        .containsSubsequence("--rest", "0")
        .contains("--recreate");
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_STORE_DIRECTORY"))
        .isEqualTo("/arena/dynims-mpiio");
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_TIER_MAX")).isEqualTo("4Gi");
    assertThat(adapter.path("env").findValuesAsText("name"))
        .doesNotContain("DYNIMS_ADAPTER_STORE_ADDRESS");
    assertThat(mount(agent, "arena").orElseThrow().path("mountPath"))
        .isEqualTo(mount(adapter, "arena").orElseThrow().path("mountPath"));
    assertThat(mount(adapter, "arena").orElseThrow().path("readOnly").asBoolean()).isTrue();
  }

  /** The kubelet would make it as root; nobody but its user can use it. */
  @Test
  void bothSeeNothingOfTheNodeButTheirDirectoryWhichIsMadeFirst() {
    JsonNode maker = Manifests.podSpec(set).at("/initContainers/0");

    assertThat(Manifests.texts(maker.path("command")))
        .containsExactly("mkdir", "-p", "-m", "0700", "/node/dynims-mpiio");
    assertThat(mount(maker, "arena").orElseThrow().path("mountPath").asText()).isEqualTo("/node");
    for (JsonNode container : List.of(agent, adapter)) {
      JsonNode mount = mount(container, "arena").orElseThrow();
      assertThat(mount.path("subPath").asText()).isEqualTo("dynims-mpiio");
      assertThat(mount.path("mountPath").asText()).isEqualTo("/arena/dynims-mpiio");
    }
  }

  @Test
  void bothRunAsTheUserOfThePrograms() {
    assertThat(Manifests.podSpec(set).at("/securityContext/runAsUser").asInt()).isEqualTo(1000);
    assertThat(adapter.at("/securityContext/runAsUser").asInt()).isEqualTo(1000);
    assertThat(Manifests.podSpec(program).at("/securityContext/runAsUser").asInt()).isEqualTo(1000);
  }

  @Test
  void onlyTheAdapterHasTheCertificate() {
    assertThat(mount(adapter, "dynims-tier-tls")).isPresent();
    assertThat(agent.path("volumeMounts").findValuesAsText("name")).containsExactly("arena");
  }

  @Test
  void isNeverThereTwiceOnANode() {
    assertThat(set.at("/spec/updateStrategy/rollingUpdate/maxSurge").asInt(-1)).isZero();
  }

  @Test
  void theAgentTakesSizesInItsOwnUnits() {
    JsonNode other =
        new Chart()
            .variant("mpiio")
            .set("stores.mpiio.tier.max", 5_000_000_000L)
            .set("stores.mpiio.agent.rest", "3G")
            .set("stores.mpiio.agent.extraArgs[0]", "--block=4MiB")
            .render()
            .one("DaemonSet", "-mpiio");

    assertThat(Manifests.texts(Manifests.container(other, "mpiio-agent").path("args")))
        .containsSubsequence("--max", "5000000000")
        .containsSubsequence("--rest", "3000000000")
        .endsWith("--block=4MiB");
  }

  @ParameterizedTest
  @CsvSource({"1.5Gi, 1610612736", "1.1Gi, 1181116007", "0.1Ti, 109951162778", "2.5G, 2500000000"})
  void sizesMayHaveFractionsAsInPolicies(String size, String bytes) {
    JsonNode other =
        new Chart()
            .variant("mpiio")
            .set("stores.mpiio.tier.max", size)
            .render()
            .one("DaemonSet", "-mpiio");

    assertThat(Manifests.texts(Manifests.container(other, "mpiio-agent").path("args")))
        .containsSubsequence("--max", bytes);
    assertThat(
            Manifests.env(Manifests.container(other, "mpiio-adapter"), "DYNIMS_ADAPTER_TIER_MAX"))
        .isEqualTo(size);
    assertThat(Quantities.bytes(size)).asString().isEqualTo(bytes);
  }

  @Test
  void theAgentHasTheVolumesOfTheProgramsIfTheyAreGiven() {
    JsonNode other =
        new Chart()
            .variant("mpiio")
            .set("stores.mpiio.extraVolumes[0].name", "data")
            .set("stores.mpiio.extraVolumes[0].persistentVolumeClaim.claimName", "data")
            .set("stores.mpiio.extraVolumeMounts[0].name", "data")
            .set("stores.mpiio.extraVolumeMounts[0].mountPath", "/data")
            .render()
            .one("DaemonSet", "-mpiio");

    assertThat(mount(Manifests.container(other, "mpiio-agent"), "data")).isPresent();
    assertThat(mount(Manifests.container(other, "mpiio-adapter"), "data")).isEmpty();
    assertThat(Manifests.podSpec(other).path("volumes").findValuesAsText("name")).contains("data");
  }

  @Test
  void theExampleIsOneTierAndAProgramOnItsNodes() {
    JsonNode tier = SidecarTest.example("mpiio").one("MemoryTier", "mpiio");
    JsonNode container = Manifests.container(program, "program");
    JsonNode volumes = Manifests.podSpec(program).path("volumes");

    assertThat(tier.at("/spec/mode").asText()).as("harmless").isEqualTo("Recommend");
    assertThat(tier.at("/spec/store/type").asText()).isEqualTo("MpiIo");
    assertThat(Manifests.env(adapter, "DYNIMS_TIER_NAME")).isEqualTo(Manifests.name(tier));
    assertThat(Manifests.env(adapter, "DYNIMS_ADAPTER_TIER_MAX"))
        .isEqualTo(tier.at("/spec/capacity/max").asText());
    assertThat(Manifests.podSpec(program).path("nodeSelector"))
        .isEqualTo(tier.at("/spec/nodes/selector/matchLabels"));
    assertThat(Manifests.podSpec(set).at("/nodeSelector/dynims.io~1mpiio").asText())
        .isEqualTo("true");
    assertThat(volumes.findValuesAsText("path")).containsExactly("/dev/shm/dynims-mpiio");
    assertThat(mount(container, "cache").orElseThrow().path("mountPath").asText())
        .isEqualTo(Manifests.env(container, "DYNIMS_MPIIO"));
    assertThat(Manifests.container(program, "library").path("image"))
        .isEqualTo(agent.path("image"));
  }

  @Test
  void theNotesTellHowProgramsUseIt() {
    assertThat(new Chart().variant("mpiio").notes())
        .contains("mount /dev/shm/dynims-mpiio", "store: {type: MpiIo}", "name: \"mpiio\"\n")
        .doesNotContain("-sidecar");
  }

  private static Optional<JsonNode> mount(JsonNode container, String volume) {
    return Manifests.stream(container.path("volumeMounts"))
        .filter(each -> each.path("name").asText().equals(volume))
        .findFirst();
  }
}
