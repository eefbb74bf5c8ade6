package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.forecast;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static io.dynims.controller.api.ApiFixture.JSON;
import static io.dynims.controller.api.ApiFixture.NOW_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TiersApiTest {

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aTierHasAllItsFields() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    api.decide(target("n1", 100, 600, NOW_MILLIS - 40, Limit.Max));
    api.reply(AckStatus.Applied, 600, true);

    assertThat(api.get("/api/v1/tiers/n1"))
        .isEqualTo(
            JSON.readTree(
                """
                {"node":"n1","tier":"memory","mode":"Enforce","paused":false,"law":"Forecast",
                 "policy":"0.yaml, document 1 (memory)","state":"Enforcing",
                 "desiredBytes":600,"capacityBytes":600,"usedBytes":50,"unevictableBytes":7,
                 "hitRatio":0.75,
                 "minBytes":0,"maxBytes":1000,"memoryUsedBytes":900,"memoryTotalBytes":1000,
                 "utilization":0.9,"threshold":0.95,"sampledMillis":1799999999960,"ageMillis":40,
                 "lastDecision":{"node":"n1","tier":"memory","desiredBytes":600,
                 "previousBytes":100,"tierUsedBytes":60,"tierUsedAgeMillis":0,"unevictableBytes":0,
                 "memoryUsedBytes":900,"memoryTotalBytes":1000,
                 "utilization":0.9,"threshold":0.95,"gain":0.5,"stepBytes":-500,
                 "action":"Grow","reason":"for a test","limitedBy":"Max",
                 "sampledMillis":1799999999960,"acknowledgedMillis":1799999999890,
                 "decidedMillis":1799999999965}}
                """));
    assertThat(api.get("/api/v1/tiers").get("tiers")).hasSize(1);
  }

  @Test
  void aDecisionOfTheLawForecastSaysHowItCameAbout() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    api.decide(forecast("n1", NOW_MILLIS - 40));

    assertThat(api.get("/api/v1/tiers/n1").get("lastDecision"))
        .isEqualTo(
            JSON.readTree(
                """
                {"node":"n1","tier":"memory","desiredBytes":80,"previousBytes":100,
                 "tierUsedBytes":60,"tierUsedAgeMillis":38,"unevictableBytes":7,
                 "memoryUsedBytes":900,"memoryTotalBytes":1000,"utilization":0.9,"pressure":0.02,
                 "threshold":0.95,"gain":0.75,"stepBytes":20,
                 "forecast":{"jobBytes":840,"jobAheadBytes":870,"reserveBytes":7,"safeBytes":80},
                 "action":"Shrink","reason":"for a test","limitedBy":"None",
                 "sampledMillis":1799999999960,"acknowledgedMillis":1799999999890,
                 "decidedMillis":1799999999965}
                """));
    assertThat(api.get("/api/v1/policies").at("/policies/0/forecast"))
        .isEqualTo(
            JSON.readTree(
                """
                {"lookAheadMillis":150,"deadBand":0.005,"settleMillis":200,
                 "headStart":{"ratio":0.1},"reserve":{"bytes":0},"maxGrow":{"ratio":1.0},
                 "maxShrink":{"ratio":1.0},"pressureLimit":0.1}
                """));
  }

  @Test
  void unknownFieldsAreOmitted() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "10%"));

    JsonNode tier = api.get("/api/v1/tiers/n1");
    assertThat(tier.fieldNames())
        .toIterable()
        .containsExactly(
            "node",
            "tier",
            "mode",
            "paused",
            "law",
            "policy",
            "state",
            "stateReason",
            "minBytes",
            "threshold");
    assertThat(tier.get("state").asText()).isEqualTo("Pending");
    assertThat(tier.get("stateReason").asText()).contains("the adapter has not answered yet");
  }

  @ParameterizedTest
  @CsvSource({
    "Enforce, 10, None, Applied, Enforcing",
    "Enforce, 10, None, Partial, Partial",
    "Enforce, 10, None, Failed, Unreachable",
    "Enforce, 10, Stale, Applied, Stale",
    "Enforce, 2001, None, Applied, Stale",
    "Recommend, 10, None, Applied, Recommending",
    "'\"Off\"', 10, None, Applied, Off",
  })
  void theStateIsDerived(
      String mode, long ageMillis, Limit limit, AckStatus status, String expected)
      throws Exception {
    api.apply(document("n1", ADAPTER, mode, "1000"));
    api.decide(target("n1", 100, 600, NOW_MILLIS - ageMillis, limit));
    api.reply(AckStatus.Applied, 1_000, true);
    api.reply(status, 600, true);

    assertThat(api.get("/api/v1/tiers/n1").get("state").asText()).isEqualTo(expected);
  }

  @Test
  void aPercentageIsPublishedAtOnceAndShownInBytesWhenTheMemoryIsKnown() throws Exception {
    List<Integer> published = new ArrayList<>();
    api.fleet.onPolicies(() -> published.add(api.fleet.policies().size()));
    api.apply(document("n1", ADAPTER, "Enforce", "10%"));

    JsonNode policy = api.get("/api/v1/policies").get("policies").get(0);
    assertThat(policy.get("maxRatio").asDouble()).isEqualTo(0.1);
    assertThat(policy.has("maxBytes")).isFalse();
    assertThat(api.get("/api/v1/tiers/n1").has("maxBytes")).isFalse();

    api.reply(AckStatus.Applied, 600, false);
    assertThat(api.get("/api/v1/tiers/n1").get("maxBytes").asLong()).isEqualTo(800);
    assertThat(published).containsExactly(1);
  }

  @Test
  void policiesComeWithErrorsAndWarnings() throws Exception {
    api.apply(
        document("n1", ADAPTER, "Enforce", "9000"), document("n2", ADAPTER, "Sometimes", "1000"));
    api.reply(AckStatus.Applied, 600, false);

    JsonNode policies = api.get("/api/v1/policies");
    assertThat(policies.get("policies")).hasSize(1);
    assertThat(policies.get("errors"))
        .isEqualTo(
            JSON.readTree(
                """
                [{"file":"1.yaml","document":"1 (memory)","field":"spec.mode",
                  "reason":"'Sometimes' is not one of Enforce, Recommend, Off"}]
                """));
    assertThat(policies.get("warnings").get(0).get("reason").asText()).contains("9000", "8000");
  }

  @Test
  void aBudgetAboveTheNodesMemoryIsAWarningAndTheReasonOfTheState() throws Exception {
    String document = document("n1", ADAPTER, "Enforce", "1000");
    api.apply(document.replace("spec:\n", "spec:\n  memory: {total: 9000}\n"));
    api.decide(target("n1", 100, 600, NOW_MILLIS - 40, Limit.Max));
    api.reply(AckStatus.Applied, 600, true);

    String problem =
        "spec.memory.total is 9000 bytes, but the node's memory is 8000, which applies";
    assertThat(api.get("/api/v1/policies").at("/warnings/0/reason").asText()).isEqualTo(problem);
    assertThat(api.get("/api/v1/tiers/n1").get("stateReason").asText()).isEqualTo(problem);
  }

  @Test
  void aPausedNodeIsShownAsPausedAndNoOther() throws Exception {
    api.apply(
        document(3, ADAPTER)
            .replace(
                "{name: memory}",
                "{name: memory, annotations: {dynims.io/paused-nodes: \"n1, n2,n9\"}}"));

    assertThat(api.get("/api/v1/tiers").get("tiers"))
        .extracting(tier -> tier.get("mode").asText() + " " + tier.get("paused").asBoolean())
        .containsExactly("Enforce false", "Recommend true", "Recommend true");
  }

  @Test
  void theTierParameterIsRequiredForANodeWithSeveralTiers() throws Exception {
    api.apply(
        document("n1", ADAPTER, "Enforce", "1000"),
        document("n1", URI.create("http://127.0.0.1:2"), "Enforce", "2000")
            .replace("{name: memory}", "{name: other}"));

    assertThat(api.send("GET", "/api/v1/tiers/n1").statusCode()).isEqualTo(400);
    assertThat(api.get("/api/v1/tiers/n1?tier=other").get("maxBytes").asLong()).isEqualTo(2_000);
  }
}
