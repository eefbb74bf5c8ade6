package io.dynims.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.wire.WireException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Answers the requests of the Tier API, on two threads: one for those that change the tier, one for
 * all others.
 */
final class TierRoutes implements AutoCloseable {

  private static final Logger LOG = System.getLogger(TierRoutes.class.getName());
  static final String JSON = "application/json";
  private static final int WAITING_CHANGES = 16;
  private static final int WAITING_READS = 64;
  private static final long STOP_SECONDS = 2;

  private final LeasedTier tier;
  private final HintRoutes hints;
  private final Optional<ServerMetrics> metrics;
  private final ExecutorService changes;
  private final ExecutorService reads;

  /**
   * A request.
   *
   * @param query the part of the target after the question mark; null if there is none
   */
  record Request(String method, String path, String query, byte[] body) {

    boolean isResize() {
      return path.equals(TierApi.PATH) && method.equals("PUT");
    }

    boolean isHintChange() {
      return path.equals(TierApi.HINTS_PATH) && (method.equals("POST") || method.equals("DELETE"));
    }
  }

  /**
   * An answer.
   *
   * @param headers other than the length and the type of the body
   */
  record Answer(int status, String contentType, byte[] body, Map<String, String> headers) {

    Answer(int status, String contentType, byte[] body) {
      this(status, contentType, body, Map.of());
    }
  }

  TierRoutes(LeasedTier tier, Optional<ServerMetrics> metrics) {
    this(
        tier,
        metrics,
        thread("tier-api-changes", WAITING_CHANGES),
        thread("tier-api-reads", WAITING_READS));
  }

  /** Routes that answer on threads of the caller's. */
  TierRoutes(
      LeasedTier tier,
      Optional<ServerMetrics> metrics,
      ExecutorService changes,
      ExecutorService reads) {
    this.tier = tier;
    this.hints = new HintRoutes(tier);
    this.metrics = metrics;
    this.changes = changes;
    this.reads = reads;
  }

  private static ExecutorService thread(String name, int waiting) {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(waiting),
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /**
   * Answers a request, later and on another thread; at once if too many wait.
   *
   * @param permitted whether it may change something
   */
  void handle(Request request, boolean permitted, Consumer<Answer> onAnswer) {
    long startNanos = System.nanoTime();
    boolean resize = request.isResize();
    Consumer<Answer> answered =
        answer -> {
          if (resize) {
            metrics.ifPresent(m -> m.resized(answer.status(), System.nanoTime() - startNanos));
          }
          onAnswer.accept(answer);
        };
    if ((resize || request.isHintChange()) && !permitted) {
      answered.accept(unauthorized());
      return;
    }
    try {
      // A hint does not wait for a resize in progress.
      (resize ? changes : reads).execute(() -> answered.accept(guarded(() -> route(request))));
    } catch (RejectedExecutionException e) {
      answered.accept(problem("Too many requests", 503, "too many requests wait", null));
    }
  }

  private static Answer guarded(Supplier<Answer> route) {
    try {
      return route.get();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "request failed", e);
      return problem("Internal error", 500, e.toString(), null);
    }
  }

  private Answer route(Request request) {
    return switch (request.path()) {
      case "/healthz" -> get(request, TierRoutes::up);
      case "/readyz" -> get(request, this::status);
      case "/metrics" ->
          metrics.map(m -> get(request, () -> scrape(m))).orElseGet(() -> unknown(request));
      case TierApi.DECISIONS_PATH -> get(request, () -> decisions(request));
      case TierApi.PATH ->
          request.isResize() ? put(request) : get(request, this::status, "GET, PUT");
      case TierApi.HINTS_PATH ->
          request.isHintChange()
              ? hints.change(request)
              : get(request, hints::list, "GET, POST, DELETE");
      default -> unknown(request);
    };
  }

  private static Answer get(Request request, Supplier<Answer> answer) {
    return get(request, answer, "GET");
  }

  private static Answer get(Request request, Supplier<Answer> answer, String allowed) {
    if (request.method().equals("GET")) {
      return answer.get();
    }
    String detail = request.method() + " " + request.path() + "; allowed: " + allowed;
    Answer refused = problem("Method not allowed", 405, detail, null);
    return new Answer(
        refused.status(), refused.contentType(), refused.body(), Map.of("Allow", allowed));
  }

  private Answer status() {
    try {
      return status(200, tier.status());
    } catch (StoreUnavailableException e) {
      return unavailable(e);
    }
  }

  private Answer put(Request put) {
    try {
      TierRequest request = TierApi.REQUEST.decode(put.body());
      TierStatus status = tier.apply(request);
      return status(status.capacityBytes() == request.desiredBytes() ? 200 : 202, status);
    } catch (WireException e) {
      return problem("Invalid request", 400, e.getMessage(), e.field());
    } catch (FutureSampleException e) {
      return problem("Invalid request", 400, e.getMessage(), "sampledMillis");
    } catch (MisdirectedException e) {
      return problem("Misdirected request", 421, e.getMessage(), e.field());
    } catch (SupersededException e) {
      return problem("Superseded controller", 409, e.getMessage(), "term");
    } catch (OutdatedSampleException e) {
      return problem("Outdated sample", 409, e.getMessage(), "sampledMillis");
    } catch (StoreUnavailableException e) {
      return unavailable(e);
    }
  }

  private Answer decisions(Request request) {
    long sinceMillis = 0;
    int limit = TierApi.MAX_DECISIONS;
    String query = request.query();
    for (String part : query == null ? new String[0] : query.split("&")) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      try {
        long value = Long.parseLong(part.substring(equals + 1));
        switch (name) {
          case "since" -> sinceMillis = value;
          case "limit" -> limit = (int) Math.max(1, Math.min(TierApi.MAX_DECISIONS, value));
          default -> {}
        }
      } catch (NumberFormatException e) {
        return problem("Invalid request", 400, part + " is not a number", name);
      }
    }
    GuardDecisions body = new GuardDecisions(tier.decisions(sinceMillis, limit));
    return new Answer(200, JSON, TierApi.DECISIONS.encode(body));
  }

  private static Answer up() {
    return new Answer(200, JSON, "{\"status\":\"up\"}".getBytes(UTF_8));
  }

  private static Answer scrape(ServerMetrics metrics) {
    return new Answer(200, metrics.contentType(), metrics.scrape().getBytes(UTF_8));
  }

  private static Answer status(int code, TierStatus status) {
    return new Answer(code, JSON, TierApi.STATUS.encode(status));
  }

  private static Answer unavailable(StoreUnavailableException e) {
    return problem("Store unavailable", 503, e.getMessage(), null);
  }

  private static Answer unknown(Request request) {
    return problem(
        "Not found",
        404,
        request.path() + " does not exist; the Tier API is at " + TierApi.PATH,
        null);
  }

  private static Answer unauthorized() {
    String detail =
        "a request that changes the tier needs a header 'Authorization: Bearer TOKEN' with a token of"
            + " the adapter's http.token.file, or the client certificate that http.tls.client.name"
            + " names";
    Answer refused = problem("Unauthorized", 401, detail, null);
    return new Answer(
        refused.status(),
        refused.contentType(),
        refused.body(),
        Map.of("WWW-Authenticate", "Bearer"));
  }

  static Answer problem(String title, int code, String detail, String field) {
    Problem problem = new Problem(title, code, detail, field);
    return new Answer(code, "application/problem+json", TierApi.PROBLEM.encode(problem));
  }

  /** Answers what has come already, and then nothing more. */
  @Override
  public void close() {
    changes.shutdown();
    reads.shutdown();
    try {
      var unused = changes.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
