package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Several Alluxios in one release, and several masters of one. */
class RuntimesTest {

  @Test
  void eachAlluxioHasAgentsOfItsOwnOnItsOwnNodes() throws IOException {
    Golden.check(
        "several-alluxio", new Chart().variant("several-alluxio").render().ofKind("DaemonSet"));
  }

  @Test
  void anAlluxioTakesWhatItDoesNotSayFromTheCommonValues() {
    Manifests manifests =
        new Chart()
            .variant("several-alluxio")
            .set("alluxio.workerWebPort", 30001)
            .set("alluxio.runtimes[1].workerWebPort", 0)
            .set("alluxio.runtimes[1].tier.hostPath", "/mnt/ram")
            .render();

    assertThat(adapterEnv(manifests, "-agent-hbase", "DYNIMS_ADAPTER_WORKER_METRICS_URL"))
        .contains(":30001/");
    assertThat(adapterEnv(manifests, "-agent-train", "DYNIMS_ADAPTER_WORKER_METRICS_URL"))
        .isEmpty();
    assertThat(volumes(manifests.one("DaemonSet", "-agent-hbase"))).contains("/dev/shm");
    assertThat(volumes(manifests.one("DaemonSet", "-agent-train"))).contains("/mnt/ram");
    assertThat(adapterEnv(manifests, "-agent-train", "DYNIMS_ADAPTER_WORKER_DIRECTORY"))
        .isEqualTo("/mnt/ram/default/train/alluxioworker");
  }

  @Test
  void theAdapterIsToldAllMasters() {
    Manifests manifests =
        new Chart()
            .set("alluxio.masterAddresses[0]", "m-0:19998")
            .set("alluxio.masterAddresses[1]", "m-1:19998")
            .render();

    assertThat(adapterEnv(manifests, "-agent", "DYNIMS_ADAPTER_MASTER_ADDRESS"))
        .isEqualTo("m-0:19998,m-1:19998");
  }

  @Test
  void anAlluxiosOwnMasterGoesBeforeTheCommonOnes() {
    Manifests manifests =
        new Chart()
            .variant("several-alluxio")
            .set("alluxio.masterAddresses[0]", "m-0:19998")
            .set("alluxio.masterAddresses[1]", "m-1:19998")
            .render();

    assertThat(adapterEnv(manifests, "-agent-hbase", "DYNIMS_ADAPTER_MASTER_ADDRESS"))
        .isEqualTo("hbase-master-0.default:19998");
    assertThat(adapterEnv(manifests, "-agent-train", "DYNIMS_ADAPTER_MASTER_ADDRESS"))
        .startsWith("train-master-0.default:19998,");
  }

  @Test
  void withoutAlluxioThereIsOneKindOfAgent() {
    Manifests manifests =
        new Chart().variant("several-alluxio").set("alluxio.enabled", false).render();

    assertThat(manifests.ofKind("DaemonSet")).hasSize(1);
    assertThat(Manifests.name(manifests.ofKind("DaemonSet").get(0))).isEqualTo("dynims-agent");
  }

  private static String adapterEnv(Manifests manifests, String agent, String variable) {
    JsonNode workload = manifests.one("DaemonSet", agent);
    return Manifests.env(Manifests.container(workload, "alluxio-adapter"), variable);
  }

  private static String volumes(JsonNode workload) {
    return Manifests.podSpec(workload).path("volumes").toString();
  }
}
