package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static io.dynims.controller.api.ApiFixture.NOW_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Target;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryApiTest {

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void theHistoryIsBoundedAndNewestFirst() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    for (long bytes = 1; bytes <= 30; bytes++) {
      api.decide(target("n1", bytes, NOW_MILLIS, Limit.None));
    }

    assertThat(api.get("/api/v1/tiers/n1/history").get("decisions")).hasSize(10);
    assertThat(api.get("/api/v1/tiers/n1/history?last=2").get("decisions"))
        .extracting(decision -> decision.get("desiredBytes").asLong())
        .containsExactly(30L, 29L);
  }

  @ParameterizedTest
  @CsvSource({"1h, 4", "90s, 3", "1.5m, 3", "60000ms, 2", "1s, 1", "500ms, 0", "3, 3"})
  void theHistoryOfATimeSpanIsComplete(String last, int expected) throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    for (long seconds : List.of(300, 80, 10, 1)) {
      // Each is decided 5 ms after its sample.
      api.decide(target("n1", seconds, NOW_MILLIS - seconds * 1_000 + 10, Limit.None));
    }

    JsonNode decisions = api.get("/api/v1/tiers/n1/history?last=" + last).get("decisions");
    assertThat(decisions).hasSize(expected);
    if (expected > 0) {
      assertThat(decisions.get(0).get("desiredBytes").asLong()).isEqualTo(1);
    }
  }

  @Test
  void decisionsFromBeforeTheStartOnlyExtendTheHistory() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    List<Target> earlier =
        List.of(
            target("n1", 1, NOW_MILLIS - 300, Limit.None),
            target("n1", 2, NOW_MILLIS - 200, Limit.None),
            target("n1", 3, NOW_MILLIS - 100, Limit.None));
    api.run(() -> api.fleet.recordEarlier(earlier));
    assertThat(api.get("/api/v1/tiers/n1").has("lastDecision")).isFalse();

    api.decide(target("n1", 3, NOW_MILLIS - 100, Limit.None));
    api.decide(target("n1", 4, NOW_MILLIS, Limit.None));
    assertThat(api.get("/api/v1/tiers/n1/history").get("decisions"))
        .extracting(decision -> decision.get("desiredBytes").asLong())
        .containsExactly(4L, 3L, 2L, 1L);
    assertThat(api.get("/api/v1/tiers/n1").at("/lastDecision/desiredBytes").asLong()).isEqualTo(4);
    for (int i = 0; i < 10; i++) {
      api.decide(target("n1", 5, NOW_MILLIS, Limit.None));
    }
    assertThat(api.get("/api/v1/tiers/n1/history").get("decisions"))
        .hasSize(10)
        .allMatch(decision -> decision.get("desiredBytes").asLong() == 5);
  }
}
