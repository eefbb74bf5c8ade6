package io.dynims.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackException;
import io.dynims.runtime.auth.TokenFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Calls the REST API of a controller. */
public final class ControllerClient {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final String url;
  private final Optional<String> token;
  private final HttpClient http;

  /**
   * A client of one controller.
   *
   * @param url such as {@code https://controller:8080}
   * @param token what the controller asks for
   * @param tls whom to trust where the address is https; empty to trust the JVM's authorities
   */
  public ControllerClient(String url, Optional<String> token, Optional<SSLContext> tls) {
    this.url = url.replaceAll("/+$", "");
    this.token = token;
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
    tls.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /** The controller's address. */
  public String url() {
    return url;
  }

  /**
   * Sends a request, and returns the body of the answer.
   *
   * @param path with the query, encoded
   * @param body JSON; null for none
   * @throws InputException if the controller refuses what is asked for
   * @throws StackException if it cannot be reached or does not answer properly
   */
  public byte[] send(String method, String path, byte[] body)
      throws InputException, StackException, InterruptedException {
    HttpResponse<byte[]> response = response(method, path, body);
    if (response.statusCode() / 100 != 2) {
      throw refused(response);
    }
    return response.body();
  }

  private HttpResponse<byte[]> response(String method, String path, byte[] body)
      throws StackException, InterruptedException {
    BodyPublisher sent = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT).method(method, sent);
      if (body != null) {
        request.header("Content-Type", "application/json");
      }
      token.ifPresent(text -> request.header("Authorization", TokenFile.authorization(text)));
      return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IllegalArgumentException e) {
      throw new StackException("'" + url + "' is not the address of a controller", e);
    } catch (IOException e) {
      throw new StackException(
          "the controller does not answer at "
              + url
              + "; start it with ./dynims up, or name it with"
              + " --url",
          e);
    }
  }

  /** What the problem document says; 4xx are mistakes in what was asked for. */
  private InputException refused(HttpResponse<byte[]> response) throws StackException {
    String detail = "";
    String field = "";
    try {
      JsonNode problem = JSON.readTree(response.body());
      detail = problem.path("detail").asText();
      field = problem.path("field").asText();
    } catch (IOException e) {
      // Not a controller's answer; reported below.
    }
    int status = response.statusCode();
    if (detail.isEmpty() || status >= 500) {
      throw new StackException(
          url + " answers HTTP " + status + (detail.isEmpty() ? "" : ": " + detail));
    }
    boolean ofOption = field.equals("tier") || field.equals("last");
    return new InputException(ofOption && status == 400 ? "--" + field + ": " + detail : detail);
  }
}
