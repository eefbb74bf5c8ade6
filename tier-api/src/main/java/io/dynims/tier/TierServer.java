package io.dynims.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves the Tier API for one store: {@code GET} and {@code PUT /v1/tier}, and {@code GET /healthz}
 * (this server runs) and {@code /readyz} (the store answers, too).
 *
 * <p>{@code PUT} answers 200 when the capacity asked for is in force, 202 when another one is, 400
 * when a field is wrong, 409 when the sample is older than the last one applied, 503 when the store
 * is away. Errors are {@link Problem} documents.
 */
public final class TierServer implements AutoCloseable {

  static {
    // The JDK's server leaves Nagle's algorithm on, which costs 40 ms an answer; this is read once.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  public static final String PATH = "/v1/tier";

  static final WireCodec<TierStatus> STATUS = new WireCodec<>(TierStatus.class);
  static final WireCodec<TierRequest> REQUEST = new WireCodec<>(TierRequest.class);
  static final WireCodec<Problem> PROBLEM = new WireCodec<>(Problem.class);

  private static final Logger LOG = System.getLogger(TierServer.class.getName());
  private static final int MAX_REQUEST_BYTES = 16 * 1024;
  private static final int THREADS = 4;

  private final HttpServer http;
  private final ExecutorService threads;
  private final LeasedTier tier;

  private TierServer(HttpServer http, LeasedTier tier) {
    this.http = http;
    this.tier = tier;
    AtomicInteger count = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            THREADS, task -> new Thread(task, "tier-api-" + count.incrementAndGet()));
  }

  /**
   * Starts to serve.
   *
   * @param address where to listen; port 0 takes any free one
   * @param store what is served
   * @param fallbackCapacityBytes the most the tier keeps once the controller's lease has run out
   * @param filters see each request and its answer, and may answer it themselves, as for metrics
   * @throws IOException when the address cannot be listened on
   */
  public static TierServer start(
      InetSocketAddress address,
      TierStore store,
      OptionalLong fallbackCapacityBytes,
      Filter... filters)
      throws IOException {
    HttpServer http;
    try {
      http = HttpServer.create(address, 0);
    } catch (IOException e) {
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
    TierServer server =
        new TierServer(http, new LeasedTier(store, fallbackCapacityBytes, System::nanoTime));
    http.createContext("/", server::answer).getFilters().addAll(List.of(filters));
    http.setExecutor(server.threads);
    http.start();
    return server;
  }

  /** Where it listens. */
  public URI uri() {
    InetSocketAddress address = http.getAddress();
    String host = address.getAddress().getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
  }

  /**
   * What {@code GET /v1/tier} answers; does not wait for a resize that is under way.
   *
   * @throws StoreUnavailableException when the store is away
   */
  public TierStatus status() throws StoreUnavailableException {
    return tier.status();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdown();
    tier.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer;
      try {
        answer = route(exchange);
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "request failed", e);
        answer = problem("Internal error", 500, e.toString(), null);
      }
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      exchange.sendResponseHeaders(answer.status(), answer.body().length);
      exchange.getResponseBody().write(answer.body());
    }
  }

  private record Answer(int status, String contentType, byte[] body) {}

  private Answer route(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    return switch (path) {
      case "/healthz" -> method.equals("GET") ? alive() : notAllowed(exchange, "GET");
      case "/readyz" -> method.equals("GET") ? get() : notAllowed(exchange, "GET");
      case PATH ->
          switch (method) {
            case "GET" -> get();
            case "PUT" -> put(exchange);
            default -> notAllowed(exchange, "GET, PUT");
          };
      default -> problem("Not found", 404, path + " is not here; the Tier API is at " + PATH, null);
    };
  }

  private static Answer alive() {
    return new Answer(200, "application/json", "{\"status\":\"up\"}".getBytes(UTF_8));
  }

  private static Answer notAllowed(HttpExchange exchange, String allowed) {
    exchange.getResponseHeaders().set("Allow", allowed);
    String request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    return problem("Method not allowed", 405, request + "; allowed: " + allowed, null);
  }

  private Answer get() {
    try {
      return status(200, status());
    } catch (StoreUnavailableException e) {
      return problem("Store away", 503, e.getMessage(), null);
    }
  }

  private Answer put(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_REQUEST_BYTES + 1);
    if (body.length > MAX_REQUEST_BYTES) {
      return problem("Too large", 413, "the body exceeds " + MAX_REQUEST_BYTES + " bytes", null);
    }
    try {
      TierRequest request = REQUEST.decode(body);
      TierStatus status = tier.apply(request);
      return status(status.capacityBytes() == request.desiredBytes() ? 200 : 202, status);
    } catch (WireException e) {
      return problem("Invalid request", 400, e.getMessage(), e.field());
    } catch (OutdatedSampleException e) {
      return problem("Outdated sample", 409, e.getMessage(), "sampledMillis");
    } catch (StoreUnavailableException e) {
      return problem("Store away", 503, e.getMessage(), null);
    }
  }

  private static Answer status(int code, TierStatus status) {
    return new Answer(code, "application/json", STATUS.encode(status));
  }

  private static Answer problem(String title, int code, String detail, String field) {
    return new Answer(
        code, "application/problem+json", PROBLEM.encode(new Problem(title, code, detail, field)));
  }
}
