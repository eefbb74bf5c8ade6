package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static io.dynims.controller.api.ApiFixture.NOW_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.controller.RawClient;
import io.dynims.core.law.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event streams whose clients do not read them. */
@Timeout(300)
class UnreadStreamsTest {

  private static final int TIERS = 1_000;
  private static final long LONG_MILLIS = 250_000;
  private static final int STREAMS = RestLimits.DEFAULT.streams();
  private static final Duration PATIENCE = Duration.ofSeconds(200);

  /** No event of these tests is longer. */
  private static final int MAX_EVENT_BYTES = 4 << 10;

  private final List<RawClient> clients = new ArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);
  @AutoClose private ApiFixture api;
  private long capacityBytes;

  @AfterEach
  void close() throws Exception {
    release.countDown();
    for (RawClient client : clients) {
      client.close();
    }
  }

  @Test
  void clientsThatReadNothingCostLittleMemoryAndNoOtherClientWaits() throws Exception {
    start(limits(STREAMS, LONG_MILLIS));
    connect(200);

    // What the clients accept besides is in the kernel's buffers.
    await()
        .atMost(PATIENCE)
        .until(() -> unacceptedBytes() >= (long) STREAMS * PacedWriter.WINDOW_BYTES);
    long mostBytes = PacedWriter.WINDOW_BYTES + PacedWriter.SLICE_BYTES + MAX_EVENT_BYTES;
    for (int i = 0; i < 20; i++) {
      assertThat(unacceptedBytes()).isLessThanOrEqualTo(STREAMS * mostBytes);
    }
    assertThat(api.get("/api/v1/tiers").get("tiers")).hasSize(TIERS);
    assertThat(api.send("GET", "/api/v1/stream").statusCode()).isEqualTo(503);
    assertThat(api.send("GET", "/api/v1/stream?view=rows").statusCode()).isEqualTo(503);
  }

  @Test
  void aStalledClientIsDisconnectedAndMakesRoom() throws Exception {
    start(limits(1, 300));
    connect(1);
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              decideAll();
              return api.metric("dynims_rest_clients_disconnected_total").endsWith(" 1.0");
            });

    RawClient next = connect(1);
    assertThat(next.reads("HTTP/1.1 200 OK")).isTrue();
  }

  @Test
  void theFleetsLoopGoesOnWhileTheRestLoopIsBlocked() throws Exception {
    start(RestLimits.DEFAULT);
    List<String> lines = api.stream("/api/v1/stream?view=rows");
    await().atMost(PATIENCE).until(() -> lines.contains("event: snapshot"));
    CompletableFuture<Void> blocked = new CompletableFuture<>();
    api.server()
        .execute(
            () -> {
              blocked.complete(null);
              awaitRelease();
            });
    blocked.join();

    // Each of these returns when the fleet's loop has done it.
    for (int i = 0; i < 50; i++) {
      decideAll();
    }
    api.decide(target("n7", 777, NOW_MILLIS, Limit.None));
    assertThat(lines).noneMatch(line -> line.contains(",777,"));
    release.countDown();

    await().atMost(PATIENCE).until(() -> lines.stream().anyMatch(line -> line.contains(",777,")));
  }

  @Test
  void aSnapshotInSlicesIsTheBodyOfTheTiers() throws Exception {
    start(RestLimits.DEFAULT);
    decideAll();
    List<String> lines = api.stream("/api/v1/stream");
    List<String> rows = api.stream("/api/v1/stream?view=rows");
    JsonNode tiers = api.get("/api/v1/tiers");

    await().atMost(PATIENCE).until(() -> lines.size() >= 3 && rows.size() >= 3);
    assertThat(ApiFixture.JSON.readTree(lines.get(1).substring("data: ".length())))
        .isEqualTo(tiers);
    JsonNode indexed = ApiFixture.JSON.readTree(rows.get(1).substring("data: ".length()));
    assertThat(indexed.get("nowMillis").asLong()).isPositive();
    assertThat(indexed.get("tiers"))
        .extracting(each -> each.get("tier"))
        .containsExactlyElementsOf(tiers.get("tiers"));
  }

  private void awaitRelease() {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void start(RestLimits limits) {
    api = new ApiFixture(limits);
    api.apply(document(TIERS, ADAPTER));
  }

  private static RestLimits limits(int streams, long stalledMillis) {
    RestLimits usual = RestLimits.DEFAULT;
    return new RestLimits(
        usual.connections(),
        streams,
        usual.bodyBytes(),
        LONG_MILLIS,
        LONG_MILLIS,
        stalledMillis,
        LONG_MILLIS);
  }

  /** Opens streams that are not read, and returns the last one's client. */
  private RawClient connect(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      clients.add(new RawClient(api.server().port()).get("/api/v1/stream"));
    }
    return clients.get(clients.size() - 1);
  }

  /** Changes every tier. */
  private void decideAll() {
    capacityBytes++;
    api.run(
        () -> {
          for (int i = 0; i < TIERS; i++) {
            api.fleet.recordDecision(target("n" + i, capacityBytes, NOW_MILLIS, Limit.None));
          }
        });
  }

  /** Changes every tier, and returns what the clients then have not accepted. */
  private long unacceptedBytes() throws Exception {
    decideAll();
    CompletableFuture<Long> bytes = new CompletableFuture<>();
    api.server().execute(() -> bytes.complete(api.api().streams().unacceptedBytes()));
    return bytes.get();
  }
}
