package io.dynims.controller.push;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.core.wire.Hint;
import io.dynims.core.wire.WireException;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.HintRequest;
import io.dynims.tier.Problem;
import io.dynims.tier.TierApi;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.List;

/**
 * Passes hints on to the adapters of their nodes, on connections of its own so that no push waits
 * for them. A call fails with {@link HintRefusedException} if the adapter refuses it. For use on
 * one event loop.
 */
public final class HintSender {

  private static final int MAX_RESPONSE_BYTES = 64 << 10;

  private final HttpClient http;
  private final PushSettings settings;

  /**
   * A sender.
   *
   * @param settings how adapters are called
   */
  public HintSender(Vertx vertx, PushSettings settings) {
    this.settings = settings;
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout((int) settings.timeoutMillis())
                .setKeepAliveTimeout(5)
                .setDecompressionSupported(false),
            new PoolOptions().setHttp1MaxSize(1));
  }

  /**
   * Gives a hint to all adapters of a node, and returns what one of them keeps. If none does, it
   * fails as the first of them did.
   *
   * @param adapters at least one
   */
  public Future<List<Hint>> give(List<URI> adapters, HintRequest hint) {
    List<Future<List<Hint>>> calls = adapters.stream().map(to -> give(to, hint)).toList();
    return Future.join(calls)
        .otherwiseEmpty()
        .compose(
            ended ->
                calls.stream().filter(Future::succeeded).findFirst().orElseGet(() -> calls.get(0)));
  }

  /** Withdraws an owner's hint from all adapters of a node. */
  public Future<?> withdraw(List<URI> adapters, String owner) {
    return Future.all(adapters.stream().map(from -> withdraw(from, owner)).toList());
  }

  private Future<List<Hint>> give(URI adapter, HintRequest hint) {
    byte[] body = TierApi.HINT.encode(hint);
    return send(adapter, HttpMethod.POST, TierApi.HINTS_PATH, Buffer.buffer(body), 0);
  }

  private Future<List<Hint>> withdraw(URI adapter, String owner) {
    String path = TierApi.HINTS_PATH + "?owner=" + owner;
    return send(adapter, HttpMethod.DELETE, path, Buffer.buffer(), 0);
  }

  /**
   * Sends a request with the next token until the adapter accepts one.
   *
   * @param refused how many tokens it has refused
   */
  private Future<List<Hint>> send(
      URI adapter, HttpMethod method, String path, Buffer body, int refused) {
    List<String> tokens = settings.tokens().map(TokenFile::tokens).orElse(List.of());
    RequestOptions options =
        AdapterEndpoint.requestOptions(adapter, settings.tls())
            .setMethod(method)
            .setURI(path)
            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
            .setTimeout(settings.timeoutMillis());
    if (refused < tokens.size()) {
      options.putHeader(HttpHeaders.AUTHORIZATION, TokenFile.authorization(tokens.get(refused)));
    }
    return http.request(options)
        .compose(request -> answer(request, body))
        .timeout(2 * settings.timeoutMillis(), MILLISECONDS)
        .compose(
            answer ->
                answer.status() == 401 && refused + 1 < tokens.size()
                    ? send(adapter, method, path, body, refused + 1)
                    : hints(answer));
  }

  private record Answer(int status, Buffer body) {}

  private static Future<Answer> answer(HttpClientRequest request, Buffer body) {
    return request
        .send(body)
        .compose(
            response ->
                ResponseBody.read(response, MAX_RESPONSE_BYTES)
                    .map(read -> new Answer(response.statusCode(), read)));
  }

  private static Future<List<Hint>> hints(Answer answer) {
    try {
      return answer.status() == 200
          ? Future.succeededFuture(TierApi.HINTS.decode(answer.body().getBytes()).hints())
          : Future.failedFuture(refusal(answer));
    } catch (WireException e) {
      return Future.failedFuture(e);
    }
  }

  private static HintRefusedException refusal(Answer answer) {
    try {
      Problem problem = TierApi.PROBLEM.decode(answer.body().getBytes());
      return new HintRefusedException(answer.status(), problem.detail(), problem.field());
    } catch (WireException e) {
      return new HintRefusedException(answer.status(), "HTTP " + answer.status(), null);
    }
  }
}
