package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that cannot work are refused, and the message says which and why. */
class ValuesTest {

  @TempDir Path scratch;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "controller.replica | 3 | '/controller': additional properties 'replica' not allowed",
        "controller.replicas | 0 | '/controller/replicas': minimum: got 0, want 1",
        "controller.share | yes | '/controller/share': got string, want boolean",
        "controller.service.port | 70000 | '/controller/service/port': maximum: got 70,000, want"
            + " 65,535",
        "image.pullPolicy | Sometimes | '/image/pullPolicy': value must be one of 'Always',",
        "watchAllNamespaces | yes | '/watchAllNamespaces': got string, want boolean",
        "kafka.bootstrapServers | broker | '/kafka/bootstrapServers': 'broker' does not match",
        "kafka.topics.partitions | 0 | '/kafka/topics/partitions': minimum: got 0, want 1",
        "kafka.evaluation.storage | 1GB | '/kafka/evaluation/storage': '1GB' does not match",
        "alluxio.workerAddress | worker | '/alluxio/workerAddress': 'worker' does not match",
        "alluxio.masterAddress | master | '/alluxio/masterAddress': 'master' does not match",
        "alluxio.masterAddresses[0] | master | '/alluxio/masterAddresses/0': 'master' does not"
            + " match",
        "alluxio.runtimes[0].name | a | '/alluxio/runtimes/0': missing property 'nodeSelector'",
        "kafka.strimzi.apiVersion | v2 | '/kafka/strimzi/apiVersion': value must be one of 'v1',",
        "rbac.aggregateTo[0] | owner | '/rbac/aggregateTo/0': value must be one of 'view',",
        "watchNamespaces[0] | a/b | '/watchNamespaces/0': 'a/b' does not match pattern",
        "flink.deployment | StatefulSet | '/flink/deployment': value must be one of 'Deployment',",
        "alluxio.tier.hostPath | dev/shm | '/alluxio/tier/hostPath': 'dev/shm' does not match",
        "alluxio.tier.max | 50% | '/alluxio/tier/max': '50%' does not match pattern",
        "agent.collectd.interval | 0 | '/agent/collectd/interval': minimum: got 0, want 0.01",
        "agent.updateStrategy.maxUnavailable | 0 | '/agent/updateStrategy/maxUnavailable':"
            + " minimum: got 0, want 1",
        "stores.redis.enabled | true | stores.redis.tier.max: is empty.",
        "stores.redis.address | redis | '/stores/redis/address': 'redis' does not match pattern",
        "stores.mpiio.enabled | true | stores.mpiio.tier.max: is empty.",
        "stores.mpiio.hostPath | dev/shm | '/stores/mpiio/hostPath': 'dev/shm' does not match",
        "stores.mpiio.directory | a/b | '/stores/mpiio/directory': 'a/b' does not match pattern",
        "stores.valkey.enabled | true | '/stores': additional properties 'valkey' not allowed",
        "flink.fetch.wait | soon | '/flink/fetch/wait': 'soon' does not match pattern",
        "flink.taskManager.heapMebibytes | 64 | '/flink/taskManager/heapMebibytes': minimum: got"
            + " 64, want 128",
        "fullnameOverride | Dynims_ | '/fullnameOverride': 'Dynims_' does not match pattern",
        "kafka.evaluation.enabled | false | kafka.bootstrapServers: is empty. Set it to your",
        "kafka.existingSecret | creds | kafka.existingSecret: the broker for evaluation has",
        "alluxio.tier.hostPath | '' | alluxio.tier.hostPath: is empty.",
      })
  void refuses(String key, String value, String message) {
    Chart chart = new Chart().set(key, value);

    assertThatThrownBy(chart::render).hasMessageContaining(message);
  }

  @Test
  void refusesToGiveAgentsTheControllersCredentials() {
    Chart chart =
        new Chart()
            .set("kafka.bootstrapServers", "kafka:9093")
            .set("kafka.existingSecret", "dynims-kafka");

    assertThatThrownBy(chart::render).hasMessageContaining("kafka.agentSecret: is empty.");
  }

  @Test
  void refusesWhatContradictsItself() {
    assertThatThrownBy(
            new Chart().set("controller.share", true).set("kafka.topics.partitions", 1)::render)
        .hasMessageContaining("controller.share: kafka.topics.partitions is less than");
    assertThatThrownBy(
            new Chart().variant("some-namespaces").set("watchAllNamespaces", true)::render)
        .hasMessageContaining("watchNamespaces: names some namespaces, but");
    assertThatThrownBy(
            new Chart().variant("strimzi").set("kafka.existingSecret", "dynims-kafka")::render)
        .hasMessageContaining("kafka.existingSecret: is not used beside kafka.strimzi.cluster");
    assertThatThrownBy(
            new Chart().variant("several-alluxio").set("alluxio.runtimes[1].name", "hbase")::render)
        .hasMessageContaining("alluxio.runtimes: the name hbase is there twice.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alluxio.tier.max",
        "alluxio.tier.min",
        "agent.adapter.memoryTotal",
        "kafka.evaluation.storage",
        "stores.redis.tier.max"
      })
  void takesSizesAsPoliciesDo(String key) {
    assertThat(new Chart().set(key, "1.5Gi").render().all()).isNotEmpty();
  }

  @Test
  void takesALimitOfTheAdaptersMemoryAndTheNodesMemory() {
    JsonNode agent =
        new Chart()
            .set("agent.adapter.resources.limits.memory", "256Mi")
            .set("agent.adapter.memoryTotal", 135_000_000_000L)
            .render()
            .one("DaemonSet", "-agent");

    assertThat(
            Manifests.container(agent, "alluxio-adapter").at("/resources/limits/memory").asText())
        .isEqualTo("256Mi");
    assertThat(
            Manifests.env(
                Manifests.container(agent, "alluxio-adapter"), "DYNIMS_ADAPTER_MEMORY_TOTAL"))
        .isEqualTo("135000000000");
  }

  /** Helm reads each number of a file as one with a fraction. */
  @Test
  void largeNumbersOfAFileAreRenderedInFull() throws IOException {
    Path file =
        Files.writeString(
            scratch.resolve("values.yaml"),
            """
            kafka: {evaluation: {storage: 5000000000}}
            alluxio: {tier: {max: 64424509440, min: 1073741824}}
            agent: {adapter: {memoryTotal: 135000000000}}
            controller: {historyInAll: 10000000}
            flink: {fetch: {min: 20000000}, jobManager: {heapMebibytes: 1000000}}
            stores: {redis: {enabled: true, tier: {max: 5000000000, min: 16777216}}}
            """);

    assertThat(new Chart().values(file).text())
        .contains("5000000000", "64424509440", "135000000000", "\"10000000\"", "-Xmx1000000m")
        .doesNotContainPattern("[0-9]e\\+[0-9]");
  }

  @Test
  void passOnWhatAnAdministratorSetsForEachKindOfPod() {
    String[] components = {
      "controller", "agent", "flink.jobManager", "flink.taskManager", "kafka.evaluation"
    };
    for (String component : components) {
      Manifests manifests =
          new Chart()
              .set(component + ".nodeSelector.disk", "fast")
              .set(component + ".podLabels.team", "storage")
              .set(component + ".podAnnotations.note", "kept")
              .set(component + ".podSecurityContext.runAsUser", 1234)
              .set(component + ".priorityClassName", "high")
              .set(component + ".tolerations[0].key", "dedicated")
              .set(component + ".affinity.podAffinity", "{}")
              .render();
      assertThat(manifests.workloads())
          .as(component)
          .filteredOn(
              each -> Manifests.podSpec(each).at("/nodeSelector/disk").asText().equals("fast"))
          .singleElement()
          .satisfies(ValuesTest::hasAllOfThem);
    }
  }

  private static void hasAllOfThem(JsonNode workload) {
    JsonNode metadata = Manifests.podTemplate(workload).path("metadata");
    JsonNode spec = Manifests.podSpec(workload);
    assertThat(metadata.at("/labels/team").asText()).isEqualTo("storage");
    assertThat(metadata.at("/annotations/note").asText()).isEqualTo("kept");
    assertThat(spec.at("/securityContext/runAsUser").asInt()).isEqualTo(1234);
    assertThat(spec.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(spec.path("priorityClassName").asText()).isEqualTo("high");
    assertThat(spec.at("/tolerations/0/key").asText()).isEqualTo("dedicated");
    assertThat(spec.path("affinity").has("podAffinity")).isTrue();
  }
}
