package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static io.dynims.controller.api.ApiFixture.NOW_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.law.Limit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamsApiTest {

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void theStreamStartsWithASnapshotAndSendsChanges() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    List<String> lines = api.stream("/api/v1/stream");
    await().until(() -> lines.contains("event: snapshot"));
    assertThat(api.streamHeaders().firstValue("X-Accel-Buffering")).contains("no");

    api.decide(target("n1", 600, NOW_MILLIS, Limit.None));
    await().until(() -> lines.contains("event: tier"));
    await().until(() -> lines.stream().anyMatch(line -> line.contains("\"desiredBytes\":600")));
    api.apply();
    await().until(() -> lines.contains("event: withdrawn"));
    assertThat(lines).contains("data: {\"node\":\"n1\",\"tier\":\"memory\"}");
  }

  @Test
  void theRowStreamStartsWithAllTiersAndThenSendsNumbers() throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    api.decide(target("n1", 600));
    List<String> lines = api.stream("/api/v1/stream?view=rows");
    await().until(() -> lines.contains("event: snapshot"));
    assertThat(lines.get(1)).contains("\"tiers\":[{\"index\":0,\"tier\":{\"node\":\"n1\"");

    api.decide(target("n1", 500));
    await().until(() -> lines.stream().anyMatch(line -> line.contains("\"rows\":[[0,500,null,")));

    api.apply(document("n1", ADAPTER, "Recommend", "1000"));
    await().until(() -> lines.contains("event: tier"));
    await().until(() -> lines.stream().anyMatch(line -> line.contains("\"mode\":\"Recommend\"")));
    api.apply();
    await().until(() -> lines.contains("event: withdrawn"));
    await().until(() -> lines.contains("data: {\"index\":0}"));
    assertThat(api.send("GET", "/api/v1/stream?view=columns").statusCode()).isEqualTo(400);
  }
}
