package io.dynims.controller.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.config.Config;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierView;
import io.dynims.core.wire.WireCodec;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** The routes of the REST API, all of them GET. */
public final class RestApi {

  private static final Logger LOG = LogManager.getLogger(RestApi.class);
  private static final WireCodec<TierView> TIER = new WireCodec<>(TierView.class);
  private static final int DEFAULT_LAST = 100;

  private final Vertx vertx;
  private final Fleet fleet;
  private final ControllerMetrics metrics;
  private final Supplier<List<String>> missing;
  private final int maxHistory;
  private final TierStream stream;
  private final RowStream rows;
  private final Page page = new Page();
  private final Buffer openApi = Buffer.buffer(Config.resource(RestApi.class, "openapi.yaml"));
  private final Map<String, Consumer<RoutingContext>> routes = new LinkedHashMap<>();

  /**
   * A REST API of the fleet.
   *
   * @param missing what the controller still lacks to do its work; empty if it is ready
   * @param maxHistory the maximum number of decisions kept per tier
   */
  public RestApi(
      Vertx vertx,
      Fleet fleet,
      ControllerMetrics metrics,
      Clock clock,
      Supplier<List<String>> missing,
      int maxHistory) {
    this.vertx = vertx;
    this.fleet = fleet;
    this.metrics = metrics;
    this.missing = missing;
    this.maxHistory = maxHistory;
    this.stream = new TierStream(vertx, fleet);
    this.rows = new RowStream(vertx, fleet, clock);
    routes.put("/", request -> page.serve(Page.INDEX, plain(request)));
    routes.put("/page/:file", request -> page.serve(request.pathParam("file"), plain(request)));
    routes.put("/api/v1/tiers", this::tiers);
    routes.put("/api/v1/tiers/:node", this::tier);
    routes.put("/api/v1/tiers/:node/history", this::history);
    routes.put("/api/v1/stream", this::stream);
    routes.put("/api/v1/policies", this::policies);
    routes.put("/healthz", request -> status(plain(request), "up"));
    routes.put("/readyz", this::ready);
    routes.put("/metrics", this::metrics);
    routes.put(
        "/openapi.yaml", request -> Responses.body(plain(request), "application/yaml", openApi));
  }

  /** The paths of all routes, such as {@code /api/v1/tiers/:node}. */
  Set<String> paths() {
    return routes.keySet();
  }

  /** A router for these paths; it answers all other requests with an error. */
  public Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    routes.forEach(
        (path, handler) -> {
          router.route(HttpMethod.GET, path).handler(handler::accept);
          router.route(path).handler(RestApi::notAllowed);
        });
    router
        .route()
        .handler(
            request -> {
              throw ApiException.notFound(
                  request.request().path() + " does not exist; see /openapi.yaml", null);
            });
    router.route().failureHandler(RestApi::failed);
    return router;
  }

  private void tiers(RoutingContext request) {
    var unusedQuery = new Query(request, Set.of());
    List<TierView> views = fleet.views();
    respond(request, Responses.JSON, () -> Lists.TIERS.encode(new Lists.Tiers(views)));
  }

  private void tier(RoutingContext request) {
    Tier tier = new Query(request, Set.of("tier")).tier(fleet);
    Responses.json(request.response(), TIER, fleet.view(tier));
  }

  private void history(RoutingContext request) {
    Query query = new Query(request, Set.of("last", "tier"));
    HistoryRange last = query.last(Math.min(DEFAULT_LAST, maxHistory), maxHistory);
    List<Target> decisions = last.of(fleet, query.tier(fleet));
    respond(request, Responses.JSON, () -> Lists.DECISIONS.encode(new Lists.Decisions(decisions)));
  }

  private void stream(RoutingContext request) {
    boolean inRows = new Query(request, Set.of("view")).isGiven("view", "rows");
    if (inRows) {
      rows.open(request.response());
    } else {
      stream.open(request.response());
    }
  }

  private void policies(RoutingContext request) {
    Responses.json(
        plain(request),
        Lists.POLICIES,
        new Lists.Policies(fleet.policies(), fleet.errors(), fleet.warnings()));
  }

  private void ready(RoutingContext request) {
    HttpServerResponse response = plain(request);
    List<String> lacking = missing.get();
    if (!lacking.isEmpty()) {
      throw ApiException.unavailable("Not ready", String.join("; ", lacking));
    }
    status(response, "ready");
  }

  private void metrics(RoutingContext request) {
    var unusedQuery = new Query(request, Set.of());
    List<TierView> views = fleet.views();
    respond(request, ControllerMetrics.CONTENT_TYPE, () -> metrics.scrape(views).getBytes(UTF_8));
  }

  /** Encodes a large response on a worker thread, to keep the event loop free for pushes. */
  private void respond(RoutingContext request, String contentType, Callable<byte[]> body) {
    vertx
        .executeBlocking(() -> Buffer.buffer(body.call()), false)
        .onSuccess(encoded -> Responses.body(request.response(), contentType, encoded))
        .onFailure(request::fail);
  }

  private static void status(HttpServerResponse response, String status) {
    Responses.body(response, Responses.JSON, Buffer.buffer("{\"status\":\"" + status + "\"}"));
  }

  /** The response to a request without parameters. */
  private static HttpServerResponse plain(RoutingContext request) {
    var unusedQuery = new Query(request, Set.of());
    return request.response();
  }

  private static void notAllowed(RoutingContext request) {
    request.response().putHeader("Allow", "GET");
    Responses.problem(
        request.response(),
        405,
        "Method not allowed",
        request.request().method() + " " + request.request().path() + "; allowed: GET",
        null);
  }

  private static void failed(RoutingContext request) {
    HttpServerResponse response = request.response();
    if (request.failure() instanceof ApiException e) {
      Responses.problem(response, e.status(), e.title(), e.getMessage(), e.field());
    } else if (request.failure() != null) {
      LOG.error("{} failed", request.request().path(), request.failure());
      Responses.problem(response, 500, "Internal error", request.failure().toString(), null);
    } else {
      String what = "invalid request: " + request.request().uri();
      Responses.problem(response, request.statusCode(), "Invalid request", what, null);
    }
  }
}
