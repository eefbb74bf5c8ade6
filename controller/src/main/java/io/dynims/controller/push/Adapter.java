package io.dynims.controller.push;

import io.dynims.core.tier.TierReply;
import io.dynims.core.tier.TierRequest;
import io.dynims.core.tier.TierServer;
import io.dynims.core.wire.WireCodec;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;

/** Calls one node's Tier API. Every call ends within the time-out and never fails as a future. */
final class Adapter {

  private static final WireCodec<TierRequest> REQUEST = new WireCodec<>(TierRequest.class);
  private static final int HTTP_PORT = 80;

  private final Vertx vertx;
  private final HttpClient http;
  private final URI uri;
  private final long timeoutMillis;
  private final RequestOptions get;
  private final RequestOptions put;

  Adapter(Vertx vertx, HttpClient http, URI uri, long timeoutMillis) {
    this.vertx = vertx;
    this.http = http;
    this.uri = uri;
    this.timeoutMillis = timeoutMillis;
    this.get = options(HttpMethod.GET);
    this.put = options(HttpMethod.PUT).putHeader("Content-Type", "application/json");
  }

  URI uri() {
    return uri;
  }

  Future<TierReply> get() {
    return call(get, null);
  }

  Future<TierReply> put(TierRequest request) {
    return call(put, Buffer.buffer(REQUEST.encode(request)));
  }

  private RequestOptions options(HttpMethod method) {
    return new RequestOptions()
        .setMethod(method)
        .setHost(uri.getHost().replaceAll("[\\[\\]]", ""))
        .setPort(uri.getPort() < 0 ? HTTP_PORT : uri.getPort())
        .setURI(TierServer.PATH);
  }

  private Future<TierReply> call(RequestOptions options, Buffer body) {
    Exchange exchange = new Exchange();
    exchange.timer = vertx.setTimer(timeoutMillis, timer -> exchange.timeOut());
    http.request(options).onComplete(made -> exchange.send(made, body));
    return exchange.reply.future();
  }

  /** One request and its answer, or the lack of one. */
  private final class Exchange {

    final Promise<TierReply> reply = Promise.promise();
    long timer;
    HttpClientRequest request;

    void send(AsyncResult<HttpClientRequest> made, Buffer body) {
      if (made.failed()) {
        fail(made.cause());
        return;
      }
      request = made.result();
      if (reply.future().isComplete()) {
        request.reset();
        return;
      }
      Future<?> answer =
          (body == null ? request.send() : request.send(body))
              .compose(
                  response ->
                      response
                          .body()
                          .onSuccess(
                              bytes ->
                                  finish(TierReply.read(response.statusCode(), bytes.getBytes()))));
      answer.onFailure(this::fail);
    }

    void timeOut() {
      finish(TierReply.unreachable(uri + " did not answer within " + timeoutMillis + " ms"));
      if (request != null) {
        request.reset();
      }
    }

    void fail(Throwable cause) {
      String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
      finish(TierReply.unreachable(uri + " did not answer: " + why));
    }

    void finish(TierReply answer) {
      vertx.cancelTimer(timer);
      reply.tryComplete(answer);
    }
  }
}
