package io.dynims.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.runtime.auth.TokenFile;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Asks one of the programs around a node. */
final class PeerClient {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI base;
  private final Duration timeout;
  private final HttpClient http;

  /** An answer of any status. */
  record Reply(URI asked, int status, String body) {

    /**
     * The body as JSON.
     *
     * @throws IOException if it is none
     */
    JsonNode json() throws IOException {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new IOException(
            "%s answers HTTP %d with a body that is not JSON; is it the right address?"
                .formatted(asked, status),
            e);
      }
    }

    /** What a problem document says; the status if it is none. */
    String problem() {
      String detail = "";
      try {
        detail = JSON.readTree(body).path("detail").asText();
      } catch (IOException e) {
        // Not a problem document.
      }
      return "HTTP " + status + (detail.isEmpty() ? "" : ": " + detail);
    }

    /** The version in a program's metrics; empty if it tells none. */
    Optional<String> version() {
      Matcher info =
          Pattern.compile("(?m)^dynims_build_info\\{[^}]*version=\"([^\"]*)\"").matcher(body);
      return status == 200 && info.find() ? Optional.of(info.group(1)) : Optional.empty();
    }

    /** The sum of the series of a name in a program's metrics; 0 if there is none. */
    double sum(String name) {
      Matcher series =
          Pattern.compile("(?m)^" + Pattern.quote(name) + "(?:\\{[^}]*})? ([0-9.eE+]+)")
              .matcher(status == 200 ? body : "");
      double sum = 0;
      while (series.find()) {
        sum += Double.parseDouble(series.group(1));
      }
      return sum;
    }
  }

  PeerClient(URI base, Optional<SSLContext> tls, Duration timeout) {
    this.base = base;
    this.timeout = timeout;
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
    tls.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  Reply get(String path, Optional<String> token) throws IOException, InterruptedException {
    return send(path, token, request -> request.GET());
  }

  /** Sends a PUT with a body of JSON. */
  Reply put(String path, Optional<String> token, String body)
      throws IOException, InterruptedException {
    return send(
        path,
        token,
        request ->
            request.header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)));
  }

  private interface Method {
    HttpRequest.Builder of(HttpRequest.Builder request);
  }

  private Reply send(String path, Optional<String> token, Method method)
      throws IOException, InterruptedException {
    URI asked = base.resolve(path);
    HttpRequest.Builder request = HttpRequest.newBuilder(asked).timeout(timeout);
    token.ifPresent(text -> request.header("Authorization", TokenFile.authorization(text)));
    try {
      HttpResponse<String> response =
          http.send(method.of(request).build(), HttpResponse.BodyHandlers.ofString());
      return new Reply(asked, response.statusCode(), response.body());
    } catch (HttpTimeoutException e) {
      throw new IOException(base + " does not answer within " + timeout.toMillis() + " ms", e);
    } catch (ConnectException e) {
      throw new IOException("nothing listens at " + base, e);
    }
  }
}
