package io.dynims.tier;

import io.dynims.runtime.auth.TokenFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Calls one Tier API and waits for the answer; for tools and tests. */
public final class TierClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient http;
  private final URI tier;
  private final Optional<String> token;

  /**
   * A client without a token, of the adapter at a base address such as {@code
   * http://127.0.0.1:7070}.
   */
  public TierClient(URI adapter) {
    this(adapter, Optional.empty(), Optional.empty());
  }

  /**
   * A client.
   *
   * @param token which it needs to ask for a capacity
   * @param tls whom to trust where the address is https; empty to trust the JVM's authorities
   */
  public TierClient(URI adapter, Optional<String> token, Optional<SSLContext> tls) {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
    tls.ifPresent(builder::sslContext);
    this.http = builder.build();
    this.tier = adapter.resolve(TierApi.PATH);
    this.token = token;
  }

  /** Gets the tier's state. */
  public TierReply get() throws InterruptedException {
    return send(builder().GET().build());
  }

  /** Asks for a capacity. */
  public TierReply put(TierRequest request) throws InterruptedException {
    return put(TierApi.REQUEST.encode(request));
  }

  /** Sends any body; for tests of invalid ones. */
  TierReply put(byte[] body) throws InterruptedException {
    return send(builder().PUT(HttpRequest.BodyPublishers.ofByteArray(body)).build());
  }

  private HttpRequest.Builder builder() {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(tier).timeout(TIMEOUT).header("Content-Type", "application/json");
    token.ifPresent(text -> builder.header("Authorization", TokenFile.authorization(text)));
    return builder;
  }

  private TierReply send(HttpRequest request) throws InterruptedException {
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return TierReply.read(response.statusCode(), response.body());
    } catch (IOException e) {
      return TierReply.unreachable(tier + " did not answer: " + e);
    }
  }
}
