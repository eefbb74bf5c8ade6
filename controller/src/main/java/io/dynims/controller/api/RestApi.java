package io.dynims.controller.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.FleetSummary;
import io.dynims.controller.fleet.FleetTrends;
import io.dynims.controller.fleet.Tier;
import io.dynims.controller.push.HintSender;
import io.dynims.core.wire.TierView;
import io.dynims.core.wire.WireCodec;
import io.dynims.runtime.config.Config;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** The routes of the REST API: GET, but for hints. */
final class RestApi {

  private static final Logger LOG = LogManager.getLogger(RestApi.class);
  private static final WireCodec<TierView> TIER = new WireCodec<>(TierView.class);
  private static final WireCodec<FleetSummary> SUMMARY = new WireCodec<>(FleetSummary.class);
  private static final WireCodec<PageLinks> LINKS = new WireCodec<>(PageLinks.class);
  private static final int DEFAULT_LAST = 100;
  private static final String HINTS = "/api/v1/hints";
  private static final long MAX_BODY_BYTES = 4 << 10;

  private final FleetReader fleet;
  private final ControllerMetrics metrics;
  private final Supplier<List<String>> missing;
  private final int maxHistory;
  private final EventStreams streams;
  private final LargeBodies bodies;
  private final Function<Fleet, FleetSummary> summary = new RecentAnswer<>(FleetSummary::of);
  private final Function<Fleet, FleetTrends> trends = new RecentAnswer<>(FleetTrends::of);
  private final Page page = new Page();
  private final Buffer openApi = Buffer.buffer(Config.resource(RestApi.class, "openapi.yaml"));
  private final Map<String, Map<HttpMethod, Consumer<RoutingContext>>> routes =
      new LinkedHashMap<>();

  /**
   * A REST API of the fleet; to be used on the current event loop.
   *
   * @param missing what the controller still lacks to do its work, read on the fleet's event loop;
   *     empty if it is ready
   * @param maxHistory the maximum number of decisions kept per tier
   * @param links where the page links to
   * @param sender passes hints on
   * @param access who may give them
   */
  RestApi(
      Vertx vertx,
      FleetReader fleet,
      ControllerMetrics metrics,
      Clock clock,
      Supplier<List<String>> missing,
      int maxHistory,
      PageLinks links,
      RestConnections connections,
      HintSender sender,
      RestAccess access) {
    this.fleet = fleet;
    this.metrics = metrics;
    this.missing = missing;
    this.maxHistory = maxHistory;
    this.streams = new EventStreams(vertx, fleet, clock, connections);
    this.bodies = new LargeBodies(vertx, fleet, connections);
    get("/", request -> page.serve(Page.INDEX, plain(request)));
    get("/page/links.json", request -> Responses.json(plain(request), LINKS, links));
    get("/page/:file", request -> page.serve(request.pathParam("file"), plain(request)));
    get("/api/v1/tiers", this::tiers);
    get("/api/v1/tiers/:node", this::tier);
    get("/api/v1/tiers/:node/history", this::history);
    SimulationApi simulations = new SimulationApi(vertx, fleet, bodies, maxHistory);
    get("/api/v1/tiers/:node/simulation", simulations::simulate);
    get("/api/v1/stream", this::stream);
    get("/api/v1/summary", this::summary);
    get("/api/v1/trends", this::trends);
    get("/api/v1/policies", this::policies);
    HintApi hints = new HintApi(fleet, bodies, sender, access);
    get(HINTS, hints::list);
    add(HttpMethod.POST, HINTS, hints::give);
    add(HttpMethod.DELETE, HINTS + "/:node/:owner", hints::withdraw);
    get("/healthz", this::health);
    get("/readyz", this::ready);
    get("/metrics", this::metrics);
    get("/openapi.yaml", request -> Responses.body(plain(request), "application/yaml", openApi));
  }

  /** The paths of all routes, such as {@code /api/v1/tiers/:node}. */
  Set<String> paths() {
    return routes.keySet();
  }

  private void get(String path, Consumer<RoutingContext> handler) {
    add(HttpMethod.GET, path, handler);
  }

  private void add(HttpMethod method, String path, Consumer<RoutingContext> handler) {
    routes.computeIfAbsent(path, added -> new LinkedHashMap<>()).put(method, handler);
  }

  /** The methods of a path, as the header Allow lists them. */
  String allowed(String path) {
    return routes.get(path).keySet().stream()
        .map(HttpMethod::name)
        .collect(Collectors.joining(", "));
  }

  /** The event streams. */
  EventStreams streams() {
    return streams;
  }

  /** A router for these paths; it answers all other requests with an error. */
  Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    router
        .route(HttpMethod.POST, HINTS)
        .handler(BodyHandler.create(false).setBodyLimit(MAX_BODY_BYTES));
    router.route().handler(RestApi::closeAfterBody);
    routes.forEach(
        (path, handlers) -> {
          handlers.forEach(
              (method, handler) -> router.route(method, path).handler(handler::accept));
          router.route(path).handler(request -> notAllowed(request, allowed(path)));
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

  /** Other requests need no body: a client that sends one is answered and then disconnected. */
  private static void closeAfterBody(RoutingContext request) {
    if (request.body().available()) {
      request.next();
      return;
    }
    var headers = request.request().headers();
    String length = headers.get("Content-Length");
    if (headers.contains("Transfer-Encoding") || (length != null && !length.equals("0"))) {
      request.response().putHeader("Connection", "close");
      request.addEndHandler(ended -> request.request().connection().close());
    }
    request.next();
  }

  private void tiers(RoutingContext request) {
    var unusedQuery = new Query(request, Set.of());
    bodies.respond(
        request, Responses.JSON, Fleet::views, views -> Lists.TIERS.encode(new Lists.Tiers(views)));
  }

  private void tier(RoutingContext request) {
    Function<Fleet, Tier> tier = new Query(request, Set.of("tier")).tier();
    answer(
        request,
        all -> all.view(tier.apply(all)),
        view -> Responses.json(request.response(), TIER, view));
  }

  private void history(RoutingContext request) {
    Query query = new Query(request, Set.of("last", "tier"));
    HistoryRange last = query.last(Math.min(DEFAULT_LAST, maxHistory), maxHistory);
    Function<Fleet, Tier> tier = query.tier();
    bodies.respond(
        request,
        Responses.JSON,
        all -> last.of(all, tier.apply(all)),
        decisions -> Lists.DECISIONS.encode(new Lists.Decisions(decisions)));
  }

  private void stream(RoutingContext request) {
    streams.open(request, new Query(request, Set.of("view")).isGiven("view", "rows"));
  }

  private void summary(RoutingContext request) {
    HttpServerResponse response = plain(request);
    answer(request, summary, figures -> Responses.json(response, SUMMARY, figures));
  }

  private void trends(RoutingContext request) {
    var unusedQuery = new Query(request, Set.of());
    bodies.respond(request, Responses.JSON, trends, Lists.TRENDS::encode);
  }

  private void policies(RoutingContext request) {
    var unusedQuery = new Query(request, Set.of());
    bodies.respond(
        request,
        Responses.JSON,
        all -> new Lists.Policies(all.policies(), all.errors(), all.warnings()),
        Lists.POLICIES::encode);
  }

  /** Asks the fleet's event loop, too: without it, the controller is not alive. */
  private void health(RoutingContext request) {
    HttpServerResponse response = plain(request);
    answer(request, all -> "up", status -> status(response, status));
  }

  private void ready(RoutingContext request) {
    HttpServerResponse response = plain(request);
    answer(
        request,
        all -> missing.get(),
        lacking -> {
          if (!lacking.isEmpty()) {
            throw ApiException.unavailable("Not ready", String.join("; ", lacking));
          }
          status(response, "ready");
        });
  }

  private void metrics(RoutingContext request) {
    var unusedQuery = new Query(request, Set.of());
    bodies.respond(
        request,
        ControllerMetrics.CONTENT_TYPE,
        FleetNumbers::of,
        numbers -> metrics.scrape(numbers).getBytes(UTF_8));
  }

  /** Answers with something small. */
  private <T> void answer(RoutingContext request, Function<Fleet, T> query, Consumer<T> answer) {
    fleet
        .read(query)
        .map(
            value -> {
              answer.accept(value);
              return value;
            })
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

  private static void notAllowed(RoutingContext request, String allowed) {
    request.response().putHeader("Allow", allowed);
    Responses.problem(
        request.response(),
        405,
        "Method not allowed",
        request.request().method() + " " + request.request().path() + "; allowed: " + allowed,
        null);
  }

  private static void failed(RoutingContext request) {
    HttpServerResponse response = request.response();
    if (request.failure() instanceof ApiException e) {
      Responses.problem(response, e.status(), e.title(), e.getMessage(), e.field());
    } else if (!String.valueOf(request.request().path()).startsWith("/")) {
      Responses.problem(response, 400, "Invalid request", "the path does not start with /", null);
    } else if (request.failure() instanceof HttpException e && e.getStatusCode() < 500) {
      String why = e.getCause() == null ? e.getPayload() : e.getCause().getMessage();
      Responses.problem(response, e.getStatusCode(), "Invalid request", why, null);
    } else if (request.failure() != null) {
      LOG.error("{} failed", request.request().path(), request.failure());
      Responses.problem(response, 500, "Internal error", request.failure().toString(), null);
    } else {
      String what = "invalid request: " + request.request().uri();
      Responses.problem(response, request.statusCode(), "Invalid request", what, null);
    }
  }
}
