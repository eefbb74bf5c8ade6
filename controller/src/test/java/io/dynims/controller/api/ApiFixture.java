package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.policies;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.controller.OnEventLoop;
import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.HistoryBound;
import io.dynims.controller.push.AdapterTls;
import io.dynims.controller.push.PushSettings;
import io.dynims.core.gate.PushGate;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The REST API of a fleet at a fixed time, served on loopback. */
final class ApiFixture implements AutoCloseable {

  static final long NOW_MILLIS = 1_800_000_000_000L;
  static final URI ADAPTER = URI.create("http://127.0.0.1:7070");
  static final ObjectMapper JSON = new ObjectMapper();

  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(NOW_MILLIS), ZoneOffset.UTC);

  final Fleet fleet = new Fleet(new HistoryBound(10, 1_000), CLOCK);
  final ControllerMetrics metrics = new ControllerMetrics();
  volatile List<String> missing = List.of();

  /** Sent with each request; null for none. */
  volatile String token;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final HttpClient http = HttpClient.newHttpClient();
  private HttpHeaders streamHeaders;
  private final Vertx restVertx = Vertx.vertx();
  private final RestServer server;

  ApiFixture() {
    this(RestLimits.DEFAULT);
  }

  ApiFixture(RestLimits limits) {
    this(limits, RestAccess.anyone());
  }

  ApiFixture(RestLimits limits, RestAccess access) {
    this(limits, access, Optional.empty());
  }

  /** With these tokens for adapters. */
  ApiFixture(RestLimits limits, RestAccess access, Optional<TokenFile> adapters) {
    server =
        call(
            () ->
                new RestServer(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    access,
                    new FleetReader(fleet, task -> loop.runOnContext(ignored -> task.run())),
                    metrics,
                    Clock.systemUTC(),
                    () -> missing,
                    10,
                    PageLinks.NONE,
                    limits,
                    new PushSettings(
                        5_000,
                        1_000,
                        new PushGate.Settings(3_000, 500, 0),
                        adapters,
                        AdapterTls.of(Optional.empty(), Optional.empty()))));
    restVertx.deployVerticle(server).toCompletionStage().toCompletableFuture().join();
  }

  RestApi api() {
    return server.api();
  }

  RestServer server() {
    return server;
  }

  /** Applies these policy documents and no others. */
  void apply(String... documents) {
    run(() -> fleet.applyPolicies(policies(documents)));
  }

  void decide(Target target) {
    run(() -> fleet.recordDecision(target));
  }

  /** Records the reply of the tier on n1. */
  void reply(AckStatus status, long capacityBytes, boolean push) {
    TierReply reply =
        status == AckStatus.Failed
            ? TierReply.unreachable("gone")
            : new TierReply(
                status,
                new TierStatus(
                    "memory", capacityBytes, 0, 8_000, 50, 0, 7, null, 0.75, "1", 8_000L, null),
                "");
    run(() -> fleet.recordReply(fleet.tiers("n1").get(0), reply, push));
  }

  /** Runs a task on the event loop. */
  void run(Runnable task) {
    call(
        () -> {
          task.run();
          return null;
        });
  }

  private <T> T call(Supplier<T> task) {
    return OnEventLoop.call(loop, task);
  }

  /** The body of a successful response. */
  JsonNode get(String path) throws Exception {
    HttpResponse<String> response = send("GET", path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  HttpResponse<String> send(String method, String path) throws Exception {
    return send(HttpRequest.newBuilder().method(method, HttpRequest.BodyPublishers.noBody()), path);
  }

  /** Sends a request, with the token if there is one. */
  private HttpResponse<String> send(HttpRequest.Builder request, String path) throws Exception {
    if (token != null) {
      request.header("Authorization", TokenFile.authorization(token));
    }
    return http.send(request.uri(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a body of a type; null for none. */
  HttpResponse<String> post(String path, String type, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString(body));
    if (type != null) {
      request.header("Content-Type", type);
    }
    return send(request, path);
  }

  /** The line of a metric. */
  String metric(String name) {
    return metrics
        .scrape(new FleetNumbers(List.of(), 0, 0))
        .lines()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .orElseThrow();
  }

  /** The lines of an endless response, as they arrive. */
  List<String> stream(String path) throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    HttpResponse<Stream<String>> response =
        http.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofLines());
    streamHeaders = response.headers();
    Thread reader = new Thread(() -> response.body().forEach(lines::add));
    reader.setDaemon(true);
    reader.start();
    return lines;
  }

  /** The headers of the last endless response. */
  HttpHeaders streamHeaders() {
    return streamHeaders;
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  @Override
  public void close() {
    restVertx.close().toCompletionStage().toCompletableFuture().join();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
