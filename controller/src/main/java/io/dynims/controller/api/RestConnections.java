package io.dynims.controller.api;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Bounds the connections of the REST port, and disconnects clients that do not get on. */
final class RestConnections {

  private final Vertx vertx;
  private final ControllerMetrics metrics;
  private final RestLimits limits;
  private final Map<HttpConnection, Long> timersUntilRequest = new HashMap<>();
  private final Set<HttpConnection> open = new HashSet<>();

  RestConnections(Vertx vertx, ControllerMetrics metrics, RestLimits limits) {
    this.vertx = vertx;
    this.metrics = metrics;
    this.limits = limits;
  }

  RestLimits limits() {
    return limits;
  }

  /** Called with every new connection; closes it if there are too many. */
  void accept(HttpConnection connection) {
    if (open.size() >= limits.connections()) {
      metrics.connectionRefused();
      connection.close();
      return;
    }
    open.add(connection);
    long timer = vertx.setTimer(limits.requestMillis(), late -> disconnect(connection));
    timersUntilRequest.put(connection, timer);
    connection.closeHandler(
        closed -> {
          open.remove(connection);
          requested(connection);
        });
  }

  /** Called with the connection of every complete request. */
  void requested(HttpConnection connection) {
    Long timer = timersUntilRequest.remove(connection);
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  /**
   * Closes at once; {@link HttpConnection#close} would first wait for the client to accept the
   * rest.
   */
  void disconnect(HttpConnection connection) {
    metrics.clientDisconnected();
    close(connection);
  }

  /** Closes all connections at once. */
  void close() {
    List.copyOf(open).forEach(RestConnections::close);
  }

  private static void close(HttpConnection connection) {
    var unusedFuture = ((ConnectionBase) connection).channelHandlerContext().close();
  }
}
