package io.dynims.controller.api;

import io.dynims.core.wire.WireCodec;
import io.dynims.tier.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Supplier;

/** Writes responses with a known body. */
final class Responses {

  static final String JSON = "application/json";

  private static final WireCodec<Problem> PROBLEM = new WireCodec<>(Problem.class);

  private Responses() {}

  static <T> void json(HttpServerResponse response, WireCodec<T> codec, T value) {
    body(response, JSON, Buffer.buffer(codec.encode(value)));
  }

  static void body(HttpServerResponse response, String contentType, Buffer body) {
    head(response, contentType);
    if (body.length() <= PacedWriter.SLICE_BYTES) {
      response.end(body);
    } else {
      response.putHeader("Content-Length", Integer.toString(body.length()));
      new PacedWriter(response, new BodySlices(response, body)).write();
    }
  }

  /** The slices of a body; ends the response after the last one. */
  private static final class BodySlices implements Supplier<Buffer> {

    private final HttpServerResponse response;
    private final Buffer body;
    private int position;

    BodySlices(HttpServerResponse response, Buffer body) {
      this.response = response;
      this.body = body;
    }

    @Override
    public Buffer get() {
      if (position == body.length()) {
        response.end();
        return null;
      }
      int start = position;
      position = Math.min(body.length(), start + PacedWriter.SLICE_BYTES);
      return body.slice(start, position);
    }
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
