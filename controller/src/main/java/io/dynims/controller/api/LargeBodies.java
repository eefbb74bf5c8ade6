package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers with bodies that may be large: reads the fleet, encodes on a worker thread, and writes no
 * faster than the client accepts. It is one body at a time until it is encoded, and none while the
 * encoded ones exceed their bound; requests wait for that in their order.
 */
final class LargeBodies {

  private record Waiting(
      RoutingContext request, String contentType, Supplier<Future<Buffer>> body) {}

  private final Vertx vertx;
  private final FleetReader fleet;
  private final RestConnections connections;
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private boolean encoding;
  private long heldBytes;

  LargeBodies(Vertx vertx, FleetReader fleet, RestConnections connections) {
    this.vertx = vertx;
    this.fleet = fleet;
    this.connections = connections;
  }

  /** Answers with the encoded result of a query. */
  <T> void respond(
      RoutingContext request,
      String contentType,
      Function<Fleet, T> query,
      Function<T, byte[]> encoder) {
    respond(request, contentType, () -> fleet.read(query), encoder);
  }

  /** Answers with an encoded value. */
  <T> void respond(
      RoutingContext request,
      String contentType,
      Supplier<Future<T>> value,
      Function<T, byte[]> encoder) {
    Supplier<Future<Buffer>> body =
        () ->
            value
                .get()
                .compose(each -> vertx.executeBlocking(() -> Buffer.buffer(encoder.apply(each))));
    Waiting added = new Waiting(request, contentType, body);
    waiting.add(added);
    request.addEndHandler(ended -> waiting.remove(added));
    next();
  }

  private void next() {
    while (!encoding && !waiting.isEmpty() && heldBytes < connections.limits().bodyBytes()) {
      Waiting next = waiting.remove();
      encoding = true;
      next.body()
          .get()
          .onComplete(ignored -> encoding = false)
          .onSuccess(body -> write(next, body))
          .onFailure(next.request()::fail)
          .onComplete(ignored -> next());
    }
  }

  private void write(Waiting answered, Buffer body) {
    RoutingContext request = answered.request();
    if (request.response().closed()) {
      return;
    }
    heldBytes += body.length();
    long timer =
        vertx.setTimer(
            connections.limits().bodyMillis(),
            late -> connections.disconnect(request.request().connection()));
    request.addEndHandler(
        ended -> {
          heldBytes -= body.length();
          vertx.cancelTimer(timer);
          next();
        });
    Responses.body(request.response(), answered.contentType(), body);
  }
}
