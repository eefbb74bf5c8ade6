package io.dynims.experiments.bench.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import org.junit.jupiter.api.Test;

class LawFindingsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void reportsTheLawAndTheCodecSeparately() {
    JsonNode json = JSON.valueToTree(LawFindings.of(results(12.5, 48.0001)).json());

    assertThat(json.path("law").path("nanosPerDecision").asDouble()).isEqualTo(12.5);
    assertThat(json.path("law").path("bytesPerDecision").asDouble()).isEqualTo(48);
    assertThat(json.path("codec").path("target").path("decode").path("nanos").asDouble())
        .isEqualTo(7);
    assertThat(json.path("codec").path("collectd").has("encode")).isFalse();
  }

  @Test
  void reportsWhichGoalsAreMet() {
    Findings good = LawFindings.of(results(12.5, 48.0001));
    Findings bad = LawFindings.of(results(51, 96));

    assertThat(good.goals()).allMatch(Goal::met);
    assertThat(bad.goals()).noneMatch(Goal::met);
    assertThat(bad.goals().get(2).measured()).isEqualTo("40.0");
  }

  @Test
  void failsIfAResultIsMissing() {
    ObjectNode results = results(1, 1);
    results.withObjectProperty("Codec").remove("encodeAck");

    assertThatThrownBy(() -> LawFindings.of(results)).hasMessageContaining("encodeAck");
  }

  private static ObjectNode results(double lawNanos, double lawBytes) {
    ObjectNode json = JSON.createObjectNode();
    put(json, "Law", "decide", lawNanos, lawBytes);
    put(json, "Law", "decideByForecast", 2 * lawNanos, 8);
    put(json, "Law", "decideByPolicy", 7, 8);
    put(json, "Collectd", "decode", 7, 8);
    put(json, "Codec", "writeReason", 7, 8);
    for (String record : new String[] {"Target", "Ack", "Policy"}) {
      put(json, "Codec", "encode" + record, 7, 8);
      put(json, "Codec", "decode" + record, 7, 8);
    }
    return json;
  }

  private static void put(
      ObjectNode json, String benchmark, String call, double nanos, double bytes) {
    json.withObjectProperty(benchmark)
        .putObject(call)
        .put("nanos", nanos)
        .put("nanosError", 0.1)
        .put("bytes", bytes);
  }
}
