package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** What an administrator reads after the install. */
class NotesTest {

  private static final String EVALUATION = "WARNING: Kafka is a single broker for evaluation.";

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
  void tellWhatHappensToDataThatExistsNowhereElse() {
    assertThat(new Chart().notes()).contains("is never evicted", "spec.unpersisted: Evict");
  }

  @Test
  void warnOfTheBrokerForEvaluation() {
    assertThat(new Chart().notes()).contains(EVALUATION);
    assertThat(new Chart().variant("kafka-tls-sasl").notes()).doesNotContain("WARNING");
  }

  @Test
  void warnWhereTheTierIsNotMeasured() {
    assertThat(new Chart().variant("restricted").notes())
        .contains("WARNING: alluxio.tier.hostPath is empty.");
  }

  @Test
  void tellHowAStoreGetsAnAdapter() {
    String notes = new Chart().variant("redis").notes();

    assertThat(notes)
        .contains(
            "kubectl get configmap dynims-redis-sidecar --namespace memory"
                + " --output=jsonpath='{.data.patch\\.yaml}' |",
            "store: {type: Redis}",
            "name: redis\n",
            "max: 4Gi")
        .doesNotContain("MUST_CACHE", "alluxio");
  }

  @Test
  void tellHowToRunTheJobElsewhere() {
    assertThat(new Chart().variant("external-flink").notes())
        .contains("flink run dynims-flink-job.jar --kafka.bootstrap.servers=kafka.kafka:9092");
  }
}
