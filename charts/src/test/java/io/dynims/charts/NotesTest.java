package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** What an administrator reads after the install. */
class NotesTest {

  private static final String EVALUATION = "WARNING: Kafka is a single broker for evaluation.";
  private static final String KEEPS_NOTHING = "It keeps nothing when its pod is replaced.";

  @Test
  void tellTheNextTwoCommands() {
    String notes = new Chart().notes();

    assertThat(notes)
        .contains("\nkubectl apply -f - <<END\n", "\nkubectl get memorytiers --namespace memory");
    String document = notes.substring(notes.indexOf("<<END\n") + 6, notes.indexOf("\nEND\n"));
    JsonNode tier = Chart.parse(document).get(0);
    assertThat(tier.path("kind").asText()).isEqualTo("MemoryTier");
    assertThat(tier.at("/metadata/namespace").asText()).isEqualTo("memory");
    assertThat(tier.at("/spec/mode").asText()).as("harmless").isEqualTo("Recommend");
  }

  @Test
  void tellWhereThePageIs() {
    assertThat(new Chart().notes())
        .contains(
            "kubectl port-forward --namespace memory service/dynims-controller 8080:8080\n",
            "http://localhost:8080")
        .doesNotContain("https://", "password", "certificate");
  }

  @Test
  void tellOfTlsAndOfTheTokenWhereThePageHasThem() {
    String notes =
        new Chart()
            .set("controller.tlsSecret", "our-certificate")
            .set("controller.tokenSecret", "our-token")
            .set("controller.service.port", 443)
            .notes();

    assertThat(notes)
        .contains(
            "service/dynims-controller 8080:443\n",
            "\nhttps://localhost:8080 asks for a password, which is the token in the Secret"
                + " our-token.",
            "Its certificate is that of the Secret our-certificate:",
            "\"kubectl dynims tiers\" and \"explain\" do not work then",
            "give them --server, and --token-file if there is a token.")
        .doesNotContain("http://localhost");
  }

  @Test
  void tellTheMemoryTiersNamespaceWhereItIsNotTheReleases() {
    assertThat(new Chart().variant("some-namespaces").notes())
        .contains(
            "  namespace: \"storage\"\n", "kubectl get memorytiers --namespace storage --watch");
    assertThat(new Chart().variant("all-namespaces").notes())
        .contains("  namespace: \"memory\"\n", "kubectl get memorytiers --all-namespaces --watch");
  }

  @Test
  void tellThatEachAlluxioNeedsAMemoryTier() {
    assertThat(new Chart().variant("several-alluxio").notes())
        .contains(
            "  name: \"hbase\"\n",
            "selector: {\"matchLabels\":{\"fluid.io/s-default-hbase\":\"true\"}}",
            "Each of alluxio.runtimes needs a MemoryTier")
        .doesNotContain("name: \"alluxio\"");
  }

  @Test
  void tellWhatHappensToDataThatExistsNowhereElse() {
    assertThat(new Chart().notes()).contains("is never evicted", "spec.unpersisted: Evict");
  }

  @Test
  void warnOfTheBrokerForEvaluation() {
    assertThat(new Chart().notes()).contains(EVALUATION, KEEPS_NOTHING);
    assertThat(new Chart().set("kafka.evaluation.persistence.enabled", true).notes())
        .contains(EVALUATION)
        .doesNotContain(KEEPS_NOTHING);
    assertThat(new Chart().variant("kafka-tls-sasl").notes()).doesNotContain("WARNING");
  }

  @Test
  void tellHowAStoreGetsAnAdapter() {
    String notes = new Chart().variant("redis").notes();

    assertThat(notes)
        .contains(
            "kubectl get configmap dynims-redis-sidecar --namespace memory"
                + " --output=jsonpath='{.data.patch\\.yaml}' |",
            "store: {type: Redis}",
            "name: \"redis\"\n",
            "max: 4Gi")
        .doesNotContain("MUST_CACHE", "alluxio");
  }

  @Test
  void tellHowToRunTheJobElsewhere() {
    assertThat(new Chart().variant("external-flink").notes())
        .contains("flink run dynims-flink-job.jar --kafka.bootstrap.servers=kafka.kafka:9092\n");
    assertThat(
            new Chart()
                .variant("external-flink")
                .set("kafka.existingSecret", "dynims-kafka")
                .set("kafka.agentSecret", "dynims-kafka-agent")
                .notes())
        .contains("=kafka.kafka:9092 --kafka.properties=/etc/dynims/kafka/client.properties\n");
  }
}
