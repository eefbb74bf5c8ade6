package io.dynims.controller.push;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;

/** Reads the body of an adapter's response, unless it is too long. */
final class ResponseBody {

  private ResponseBody() {}

  static Future<Buffer> read(HttpClientResponse response, int maxBytes) {
    Promise<Buffer> read = Promise.promise();
    Buffer body = Buffer.buffer();
    response.handler(
        part -> {
          body.appendBuffer(part);
          if (body.length() > maxBytes) {
            read.tryFail("more than " + maxBytes + " bytes");
            var unusedFuture = response.request().reset();
          }
        });
    response.exceptionHandler(read::tryFail);
    response.endHandler(ended -> read.tryComplete(body));
    return read.future();
  }
}
