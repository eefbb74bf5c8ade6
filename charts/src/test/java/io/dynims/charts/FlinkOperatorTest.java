package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The job as a resource of Flink's Kubernetes operator. */
class FlinkOperatorTest {

  private static final String KIND = "FlinkDeployment";

  @Test
  void theJobIsAResourceOfTheOperator() throws IOException {
    Manifests manifests = new Chart().variant("flink-operator").render();

    Golden.check("flink-operator", manifests.ofKind(KIND));
    assertThat(manifests.ofKind("Deployment"))
        .extracting(Manifests::name)
        .containsExactly("dynims-controller");
  }

  @Test
  void theJobHasTheCredentialsForKafka() {
    JsonNode flink =
        new Chart().variant("strimzi").set("flink.deployment", KIND).render().one(KIND, "-flink");

    assertThat(Manifests.texts(flink.at("/spec/job/args")))
        .contains(
            "--kafka.bootstrap.servers=events-kafka-bootstrap.kafka:9093",
            "--kafka.properties=/etc/dynims/kafka/client.properties");
    JsonNode pod = flink.at("/spec/podTemplate/spec");
    assertThat(pod.at("/volumes/0/projected/sources")).hasSize(3);
    assertThat(pod.at("/containers/0/volumeMounts/0/mountPath").asText())
        .isEqualTo("/etc/dynims/kafka");
  }

  @Test
  void configurationIsText() {
    JsonNode configuration =
        new Chart()
            .variant("flink-operator")
            .set("monitoring.podMonitor.enabled", true)
            .set("flink.config.akka\\.framesize", 20000000)
            .set("flink.config.ratio", "0.5")
            .render()
            .one(KIND, "-flink")
            .at("/spec/flinkConfiguration");

    assertThat(List.copyOf(configuration.properties()))
        .allSatisfy(entry -> assertThat(entry.getValue().isTextual()).as(entry.getKey()).isTrue());
    assertThat(configuration.path("metrics.reporter.prometheus.port").asText()).isEqualTo("9249");
    assertThat(configuration.path("akka.framesize").asText()).isEqualTo("20000000");
  }
}
