package io.dynims.controller.api;

import io.dynims.core.wire.WireCodec;
import io.dynims.tier.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/** Writes complete responses. */
final class Responses {

  static final String JSON = "application/json";

  private static final WireCodec<Problem> PROBLEM = new WireCodec<>(Problem.class);

  private Responses() {}

  static <T> void json(HttpServerResponse response, WireCodec<T> codec, T value) {
    body(response, JSON, Buffer.buffer(codec.encode(value)));
  }

  static void body(HttpServerResponse response, String contentType, Buffer body) {
    head(response, contentType).end(body);
  }

  /** An error, RFC 9457. */
  static void problem(
      HttpServerResponse response, int status, String title, String detail, String field) {
    response.setStatusCode(status);
    byte[] body = PROBLEM.encode(new Problem(title, status, detail, field));
    body(response, "application/problem+json", Buffer.buffer(body));
  }

  static HttpServerResponse head(HttpServerResponse response, String contentType) {
    return response
        .putHeader("Content-Type", contentType)
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Content-Type-Options", "nosniff");
  }
}
