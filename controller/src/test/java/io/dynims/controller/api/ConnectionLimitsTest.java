package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.RawClient;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients of the REST port may not do. */
@Timeout(300)
class ConnectionLimitsTest {

  private static final String OK = "HTTP/1.1 200 OK";
  private static final long LONG_MILLIS = 250_000;
  private static final Duration PATIENCE = Duration.ofSeconds(200);

  @AutoClose private ApiFixture api;

  @Test
  void oneConnectionTooManyIsClosedAndCounted() throws Exception {
    api = new ApiFixture(limits(2, LONG_MILLIS, LONG_MILLIS));
    try (RawClient first = client();
        RawClient second = client()) {
      assertThat(first.get("/healthz").reads(OK)).isTrue();
      assertThat(second.get("/healthz").reads(OK)).isTrue();
      try (RawClient third = client()) {
        assertThat(third.readToEnd()).isEmpty();
      }
      assertThat(api.metric("dynims_rest_connections_refused_total")).endsWith(" 1.0");
    }

    awaitAnswered().close();
  }

  @Test
  void onlyAClientThatFinishesItsRequestStaysConnected() throws Exception {
    api = new ApiFixture(limits(256, 1_000, LONG_MILLIS));
    try (RawClient finished = awaitAnswered();
        RawClient unfinished = client().send("GET /healthz HTTP/1.1\r\nHost: ")) {
      // It connected later than the other one.
      assertThat(unfinished.readToEnd()).isEmpty();
      assertThat(finished.get("/healthz").reads(OK)).isTrue();
    }
  }

  @Test
  void aForeignHostIsRefusedOnLoopback() throws Exception {
    api = new ApiFixture();
    try (RawClient client = client()) {
      client.send("GET /api/v1/tiers HTTP/1.1\r\nHost: evil.example\r\n\r\n");
      assertThat(client.reads("HTTP/1.1 403 Forbidden")).isTrue();
      assertThat(client.reads("have the proxy in between send 'Host: localhost'")).isTrue();
    }
    awaitAnswered().close();
  }

  @Test
  void aBodyIsNotRead() throws Exception {
    api = new ApiFixture();
    try (RawClient client = client()) {
      client.send("POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nstart");

      assertThat(client.readToEnd()).startsWith("HTTP/1.1 405").contains("Connection: close");
    }
  }

  @Test
  void aResponseThatNobodyReadsDoesNotHoldUpTheNextForEver() throws Exception {
    api = new ApiFixture(limits(256, LONG_MILLIS, 1_000));
    int nodes = 10_000;
    api.apply(document(nodes, ADAPTER));
    api.run(
        () -> {
          for (int i = 0; i < nodes; i++) {
            api.fleet.recordDecision(target("n" + i, 600));
          }
        });
    try (RawClient reader = client();
        RawClient next = client()) {
      assertThat(reader.get("/api/v1/tiers").reads(OK)).isTrue();

      // Waits, because no other body may be in memory meanwhile.
      assertThat(next.get("/api/v1/tiers/n1/history").reads(OK)).isTrue();
      assertThat(api.metric("dynims_rest_clients_disconnected_total")).endsWith(" 1.0");
    }
  }

  /** Limits with room for one body in memory. */
  private static RestLimits limits(int connections, long requestMillis, long bodyMillis) {
    return new RestLimits(connections, 50, 1, LONG_MILLIS, requestMillis, LONG_MILLIS, bodyMillis);
  }

  private RawClient client() throws IOException {
    return new RawClient(api.server().port());
  }

  /** A client that is connected and has got an answer. */
  private RawClient awaitAnswered() {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> {
              RawClient client = client().get("/healthz");
              return client.reads(OK) ? client : null;
            },
            client -> client != null);
  }
}
