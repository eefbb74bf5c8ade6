package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static io.dynims.controller.api.ApiFixture.JSON;
import static io.dynims.controller.api.ApiFixture.NOW_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.law.Limit;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of 840 bytes and a tier that holds 60 of 100, on a node of 1,000. */
class SimulationApiTest {

  private static final String PATH = "/api/v1/tiers/n1/simulation";
  private static final int DECISIONS = 10;

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void theRecordedCourseIsThatOfTheDecisions() throws Exception {
    recordDecisions();

    JsonNode answer = api.get(PATH + "?last=1m");
    assertThat(answer.at("/recorded"))
        .isEqualTo(
            JSON.readTree(
                """
                {"maxUtilization":0.9,"aboveMemoryMillis":0,"aboveThresholdMillis":0,
                 "meanCapacityBytes":100,"meanTierBytes":60,"evictedBytes":0,"filledBytes":0,
                 "directionChanges":0}
                """));
    assertThat(answer.get("points")).hasSize(DECISIONS);
    assertThat(answer.get("points"))
        .extracting(point -> point.get("sampledMillis").asLong())
        .isSorted();
    assertThat(answer.get("points"))
        .allMatch(point -> point.get("recordedUtilization").asDouble() == 0.9)
        .allMatch(point -> point.get("recordedCapacityBytes").asLong() == 100);
  }

  @Test
  void theTiersOwnPolicyIsSimulatedUnlessTheQuerySaysOtherwise() throws Exception {
    recordDecisions();

    assertThat(law(api.get(PATH))).containsExactly("Forecast", 0.95, 0.75);
    assertThat(law(api.get(PATH + "?law=Feedback"))).containsExactly("Feedback", 0.95, 0.5);
    assertThat(law(api.get(PATH + "?law=Feedback&threshold=0.9&gain=2")))
        .containsExactly("Feedback", 0.9, 2.0);
  }

  @Test
  void theSimulatedTierTakesWhatTheThresholdLeavesIt() throws Exception {
    recordDecisions();

    // r0 · M less the jobs is 110 and 60.
    JsonNode high = api.get(PATH + "?law=Feedback&threshold=0.95&gain=1");
    JsonNode low = api.get(PATH + "?law=Feedback&threshold=0.9&gain=1");
    assertThat(newest(high).get("capacityBytes").asLong()).isBetween(108L, 110L);
    assertThat(newest(low).get("capacityBytes").asLong()).isBetween(59L, 61L);
    assertThat(newest(high).get("utilization").asDouble()).isBetween(0.947, 0.95);
    assertThat(high.at("/simulated/meanCapacityBytes").asLong())
        .isGreaterThan(low.at("/simulated/meanCapacityBytes").asLong());
  }

  @Test
  void onlyThePartOfTheHistoryThatIsAskedForIsSimulated() throws Exception {
    recordDecisions();

    assertThat(api.get(PATH + "?last=3").get("points")).hasSize(3);
    assertThat(api.get(PATH + "?last=250ms").get("points")).hasSize(2);
  }

  @Test
  void nothingChanges() throws Exception {
    recordDecisions();
    JsonNode tier = api.get("/api/v1/tiers/n1");
    JsonNode policies = api.get("/api/v1/policies");
    JsonNode history = api.get("/api/v1/tiers/n1/history");

    api.get(PATH + "?law=Feedback&threshold=0.5&gain=2");

    assertThat(api.get("/api/v1/tiers/n1")).isEqualTo(tier);
    assertThat(api.get("/api/v1/policies")).isEqualTo(policies);
    assertThat(api.get("/api/v1/tiers/n1/history")).isEqualTo(history);
  }

  @ParameterizedTest
  @CsvSource({
    "law=Best, law, 'is not one of [Feedback, Forecast]'",
    "threshold=1, threshold, is not between 0 and 1",
    "threshold=NaN, threshold, is not between 0 and 1",
    "threshold=much, threshold, is not a number",
    "gain=0, gain, is not above 0",
    "gain=1.5, gain, at most 1",
    "law=Feedback&gain=2.5, gain, at most 2",
    "last=2h, last, nor a time",
    "speed=1, speed, the parameters of this path",
  })
  void aWrongParameterIsNamed(String query, String field, String reason) throws Exception {
    recordDecisions();

    HttpResponse<String> response = api.send("GET", PATH + "?" + query);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(response.body()).get("field").asText()).isEqualTo(field);
    assertThat(JSON.readTree(response.body()).get("detail").asText()).contains(reason);
  }

  @Test
  void aTierWithoutDecisionsAndAnUnknownNodeAreNotFound() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));

    HttpResponse<String> response = api.send("GET", PATH);
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).contains("has no decision of that time");
    assertThat(api.send("GET", "/api/v1/tiers/n2/simulation").statusCode()).isEqualTo(404);
  }

  @Test
  void oneSimulationRunsAtATimeAndAnotherIsRefused() throws Exception {
    recordDecisions();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      // Neither simulation gets the fleet's decisions before this ends.
      Future<?> holder = threads.submit(() -> api.run(() -> hold(held, release)));
      held.await();
      List<Future<HttpResponse<String>>> both =
          List.of(
              threads.submit(() -> api.send("GET", PATH)),
              threads.submit(() -> api.send("GET", PATH)));
      await().until(() -> both.stream().anyMatch(Future::isDone));
      release.countDown();
      holder.get();
      assertThat(List.of(both.get(0).get().statusCode(), both.get(1).get().statusCode()))
          .containsExactlyInAnyOrder(200, 503);
      assertThat(api.send("GET", PATH).statusCode()).isEqualTo(200);
    } finally {
      release.countDown();
      threads.shutdown();
    }
  }

  @Test
  void aFailedSimulationMakesRoomForTheNext() throws Exception {
    recordDecisions();

    assertThat(api.send("GET", PATH + "?gain=9").statusCode()).isEqualTo(400);
    assertThat(api.send("GET", PATH).statusCode()).isEqualTo(200);
  }

  private static void hold(CountDownLatch held, CountDownLatch release) {
    held.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Records a decision every 100 ms until now. */
  private void recordDecisions() {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    for (int i = DECISIONS; i > 0; i--) {
      api.decide(target("n1", 100, 100, NOW_MILLIS - i * 100L, Limit.None));
    }
  }

  private static List<Object> law(JsonNode answer) {
    return List.of(
        answer.get("law").asText(),
        answer.get("threshold").asDouble(),
        answer.get("gain").asDouble());
  }

  private static JsonNode newest(JsonNode answer) {
    return answer.get("points").get(answer.get("points").size() - 1);
  }
}
