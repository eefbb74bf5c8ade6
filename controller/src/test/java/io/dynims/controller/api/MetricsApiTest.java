package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.forecast;
import static io.dynims.controller.TestFleet.target;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static io.dynims.controller.api.ApiFixture.NOW_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.AckStatus;
import io.dynims.runtime.config.BuildVersion;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsApiTest {

  /** What OpenMetrics leaves out of the names of these types. */
  private static final Map<String, String> SUFFIXES = Map.of("counter", "_total", "info", "_info");

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void metricsAreOpenMetrics() throws Exception {
    api.metrics.countDecision(target("n1", 600));
    api.metrics.recordPush(AckStatus.Partial, 3_000_000);
    api.metrics.recordReaction(12);
    HttpResponse<String> response = api.send("GET", "/metrics");

    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/openmetrics-text");
    assertThat(response.body())
        .contains("dynims_pushes_total{status=\"Partial\"} 1.0")
        .contains("dynims_decisions_total{action=\"Grow\",limit=\"None\"} 1.0")
        .contains("dynims_build_info{version=\"" + BuildVersion.text() + "\"} 1")
        .contains("dynims_push_seconds_bucket{le=\"0.005\"} 1")
        .contains("dynims_sample_to_in_force_seconds_bucket{le=\"0.02\"} 1")
        .endsWith("# EOF\n");
  }

  @Test
  void aTierHasSeriesWhileItExists() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    api.decide(target("n1", 600));

    assertThat(api.send("GET", "/metrics").body())
        .contains("dynims_tier_desired_bytes{node=\"n1\",tier=\"memory\"} 600.0")
        .contains("dynims_tier_memory_utilization_ratio{node=\"n1\",tier=\"memory\"} 0.9")
        .contains("dynims_tier_sample_age_seconds{node=\"n1\",tier=\"memory\"}")
        .contains("dynims_tiers_state{state=\"Stale\"}")
        .contains("dynims_tiers 1.0")
        .doesNotContain("dynims_tier_capacity_bytes{");
    api.apply();
    assertThat(api.send("GET", "/metrics").body()).doesNotContain("dynims_tier_desired_bytes{");
  }

  @Test
  void theHitRatioIsShownWhereItIsKnown() throws Exception {
    api.apply(
        document("n1", ADAPTER, "Enforce", "1000"), document("n2", ADAPTER, "Enforce", "1000"));
    api.reply(AckStatus.Applied, 600, false);

    assertThat(api.send("GET", "/metrics").body())
        .contains("dynims_tier_hit_ratio{node=\"n1\",tier=\"memory\"} 0.75")
        .doesNotContain("dynims_tier_hit_ratio{node=\"n2\"");
  }

  @Test
  void pressureIsShownWhereItIsKnown() throws Exception {
    api.apply(
        document("n1", ADAPTER, "Enforce", "1000"), document("n2", ADAPTER, "Enforce", "1000"));
    api.decide(forecast("n1", NOW_MILLIS));
    api.decide(target("n2", 600));

    assertThat(api.send("GET", "/metrics").body())
        .contains("dynims_tier_memory_pressure_ratio{node=\"n1\",tier=\"memory\"} 0.02")
        .doesNotContain("dynims_tier_memory_pressure_ratio{node=\"n2\"");
  }

  @Test
  void everySeriesIsDocumented() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    api.decide(forecast("n1", NOW_MILLIS));
    api.reply(AckStatus.Applied, 600, true);
    String documented = Files.readString(Path.of("../docs/metrics-and-alerts.md"));

    List<String> names =
        api.send("GET", "/metrics")
            .body()
            .lines()
            .filter(line -> line.startsWith("# TYPE dynims_"))
            .map(line -> line.split(" ", -1))
            .map(words -> words[2] + SUFFIXES.getOrDefault(words[3], ""))
            .toList();
    assertThat(names)
        .contains("dynims_tier_capacity_bytes", "dynims_pushes_total")
        .allSatisfy(name -> assertThat(documented).contains("`" + name + "`"));
  }
}
