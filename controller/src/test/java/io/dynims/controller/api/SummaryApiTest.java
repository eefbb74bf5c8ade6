package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static io.dynims.controller.api.ApiFixture.JSON;
import static io.dynims.controller.api.ApiFixture.NOW_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The figures of the fleet, the trends, and the page's links. */
class SummaryApiTest {

  private static final long MINUTE_MILLIS = 60_000;

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void theFleetIsSummedUp() throws Exception {
    api.apply(
        document("n1", ADAPTER, "Enforce", "1000"),
        document("n2", ADAPTER, "Enforce", "10%")
            .replace("name: memory", "name: memory, annotations: {dynims.io/paused: \"true\"}"));
    api.reply(AckStatus.Applied, 600, true);
    // Of 1,000 bytes 900 are in use and the tier has 100: with all 1,000 it would be too much.
    for (long millis : List.of(0L, 100L, 200L)) {
      api.decide(target("n1", 100, 100, NOW_MILLIS - 300 + millis, Limit.None));
    }

    assertThat(api.get("/api/v1/summary"))
        .isEqualTo(
            JSON.readTree(
                """
                {"nodes":2,"tiers":2,"pausedTiers":1,"capacityBytes":600,"usedBytes":50,
                 "meanHitRatio":0.75,"hitRatioTiers":1,
                 "lastHour":{"observedMillis":200,"overMillis":0,"staticOverMillis":200},
                 "errorCount":0,"errors":[],"warningCount":0,"warnings":[]}
                """));
  }

  @Test
  void aLongListOfErrorsIsCutAndCounted() throws Exception {
    api.apply(
        IntStream.range(0, 25)
            .mapToObj(i -> document("n" + i, ADAPTER, "Sometimes", "1000"))
            .toArray(String[]::new));

    JsonNode summary = api.get("/api/v1/summary");
    assertThat(summary.get("errorCount").asInt()).isEqualTo(25);
    assertThat(summary.get("errors")).hasSize(20);
    assertThat(summary.at("/errors/0/reason").asText()).contains("'Sometimes'");
    assertThat(summary.has("meanHitRatio")).isFalse();
  }

  @Test
  void aTrendHasTheSmallestCapacityOfEachMinute() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    long minute = Math.floorDiv(NOW_MILLIS, MINUTE_MILLIS) * MINUTE_MILLIS;
    for (long desired : List.of(700L, 300L, 500L)) {
      api.decide(target("n1", 100, desired, minute - MINUTE_MILLIS + desired, Limit.None));
    }
    api.decide(target("n1", 100, 400, minute - 5, Limit.None));

    JsonNode trends = api.get("/api/v1/trends");
    assertThat(trends.get("intervalMillis").asLong()).isEqualTo(MINUTE_MILLIS);
    assertThat(trends.get("startMillis").asLong()).isEqualTo(minute - 59 * MINUTE_MILLIS);
    JsonNode values = trends.at("/tiers/0/desiredBytes");
    assertThat(values).hasSize(60);
    assertThat(values.get(57).isNull()).isTrue();
    assertThat(values.get(58).asLong()).isEqualTo(300);
    assertThat(values.get(59).asLong()).isEqualTo(400);
  }

  @Test
  void thePageHasNoLinksUnlessTheyAreSet() throws Exception {
    assertThat(api.get("/page/links.json")).isEmpty();
  }
}
