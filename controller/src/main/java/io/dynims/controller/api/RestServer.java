package io.dynims.controller.api;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

/**
 * Serves the REST API, the page and the event streams. To be deployed to a Vert.x of its own, so
 * that its event loop is not the one that pushes: whatever clients do, no push waits for them.
 */
public final class RestServer extends VerticleBase {

  private final InetSocketAddress address;
  private final FleetReader fleet;
  private final ControllerMetrics metrics;
  private final Clock clock;
  private final Supplier<List<String>> missing;
  private final int maxHistory;
  private final RestLimits limits;
  private RestConnections connections;
  private RestApi api;
  private volatile int port;

  /**
   * A server.
   *
   * @param missing what the controller still lacks to do its work, read on the fleet's event loop;
   *     empty if it is ready
   * @param maxHistory the maximum number of decisions kept per tier
   */
  public RestServer(
      InetSocketAddress address,
      FleetReader fleet,
      ControllerMetrics metrics,
      Clock clock,
      Supplier<List<String>> missing,
      int maxHistory,
      RestLimits limits) {
    this.address = address;
    this.fleet = fleet;
    this.metrics = metrics;
    this.clock = clock;
    this.missing = missing;
    this.maxHistory = maxHistory;
    this.limits = limits;
  }

  @Override
  public Future<HttpServer> start() {
    connections = new RestConnections(vertx, metrics, limits);
    api = new RestApi(vertx, fleet, metrics, clock, missing, maxHistory, connections);
    Router router = api.router(vertx);
    // Without HTTP/2, a connection has one response at a time, and is known before its first byte.
    HttpServerOptions options =
        new HttpServerOptions()
            .setHttp2ClearTextEnabled(false)
            .setIdleTimeoutUnit(MILLISECONDS)
            .setIdleTimeout((int) limits.idleMillis());
    return vertx
        .createHttpServer(options)
        .connectionHandler(connections::accept)
        .requestHandler(
            request -> {
              connections.requested(request.connection());
              router.handle(request);
            })
        .listen(address.getPort(), address.getAddress().getHostAddress())
        .onSuccess(server -> port = server.actualPort());
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
