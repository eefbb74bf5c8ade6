package io.dynims.controller.api;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.controller.push.HintSender;
import io.dynims.controller.push.PushSettings;
import io.dynims.runtime.auth.HostHeader;
import io.dynims.runtime.tls.TlsFiles;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.ext.web.Router;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Serves the REST API, the page and the event streams. To be deployed to a Vert.x of its own, so
 * that its event loop is not the one that pushes: whatever clients do, no push waits for them.
 */
public final class RestServer extends VerticleBase {

  private static final Pattern HALF_ESCAPE = Pattern.compile("%(?!\\p{XDigit}{2})");

  private final InetSocketAddress address;
  private final RestAccess access;
  private final FleetReader fleet;
  private final ControllerMetrics metrics;
  private final Clock clock;
  private final Supplier<List<String>> missing;
  private final int maxHistory;
  private final PageLinks links;
  private final RestLimits limits;
  private final PushSettings adapters;
  private RestConnections connections;
  private RestApi api;
  private volatile int port;

  /**
   * A server.
   *
   * @param access who may read, and give hints
   * @param missing what the controller still lacks to do its work, read on the fleet's event loop;
   *     empty if it is ready
   * @param maxHistory the maximum number of decisions kept per tier
   * @param links where the page links to
   * @param adapters how adapters are called, for hints
   */
  public RestServer(
      InetSocketAddress address,
      RestAccess access,
      FleetReader fleet,
      ControllerMetrics metrics,
      Clock clock,
      Supplier<List<String>> missing,
      int maxHistory,
      PageLinks links,
      RestLimits limits,
      PushSettings adapters) {
    this.address = address;
    this.access = access;
    this.fleet = fleet;
    this.metrics = metrics;
    this.clock = clock;
    this.missing = missing;
    this.maxHistory = maxHistory;
    this.links = links;
    this.limits = limits;
    this.adapters = adapters;
  }

  @Override
  public Future<HttpServer> start() {
    connections = new RestConnections(vertx, metrics, limits);
    HintSender hints = new HintSender(vertx, adapters);
    api =
        new RestApi(
            vertx, fleet, metrics, clock, missing, maxHistory, links, connections, hints, access);
    Router router = api.router(vertx);
    // Without HTTP/2, a connection has one response at a time, and is known before its first byte.
    HttpServerOptions options =
        new HttpServerOptions()
            .setHttp2ClearTextEnabled(false)
            .setIdleTimeoutUnit(MILLISECONDS)
            .setIdleTimeout((int) limits.idleMillis());
    access.tls().ifPresent(files -> secure(options, files));
    return vertx
        .createHttpServer(options)
        .connectionHandler(connections::accept)
        .requestHandler(
            request -> {
              connections.requested(request.connection());
              if (isAllowed(request)) {
                router.handle(request);
              }
            })
        .listen(address.getPort(), address.getAddress().getHostAddress())
        .onSuccess(server -> port = server.actualPort());
  }

  /** Answers a request that is not for this server, cannot be read, or has no token. */
  private boolean isAllowed(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (!HostHeader.isMeant(address.getAddress(), request.getHeader(HttpHeaders.HOST))) {
      Responses.problem(response, 403, "Forbidden", HostHeader.NOT_MEANT, null);
      return false;
    }
    // The router would log each of them with a stack trace.
    if (HALF_ESCAPE.matcher(request.uri()).find()) {
      String why = "the address has a '%' that is not followed by two hexadecimal digits";
      Responses.problem(response, 400, "Invalid request", why, null);
      return false;
    }
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (!access.allows(request.path(), authorization)) {
      response.putHeader("WWW-Authenticate", RestAccess.CHALLENGE);
      String why = "a token is needed: as 'Authorization: Bearer TOKEN', or as a password";
      Responses.problem(response, 401, "Unauthorized", why, null);
      return false;
    }
    return true;
  }

  private static void secure(HttpServerOptions options, TlsFiles files) {
    options.setSsl(true).setUseAlpn(false);
    files.keyManager().ifPresent(each -> options.setKeyCertOptions(KeyCertOptions.wrap(each)));
    files
        .trustManager()
        .ifPresent(
            each ->
                options
                    .setTrustOptions(TrustOptions.wrap(each))
                    .setClientAuth(ClientAuth.REQUIRED));
  }

  @Override
  public Future<?> stop() {
    connections.close();
    return Future.succeededFuture();
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  /** The API, once it is served. */
  RestApi api() {
    return api;
  }

  /** Runs a task on the server's event loop. */
  public void execute(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }
}
