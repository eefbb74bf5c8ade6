package io.dynims.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackException;
import io.dynims.core.auth.TokenFile;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Asks a controller for the decisions that it keeps of a node. */
public final class HistoryClient {

  /** The body of an answer. */
  record Decisions(List<Target> decisions) {}

  private static final WireCodec<Decisions> DECISIONS = new WireCodec<>(Decisions.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final String url;
  private final Optional<String> token;
  private final HttpClient http;

  /** A client of a controller without credentials, such as {@code http://127.0.0.1:8080}. */
  public HistoryClient(String url) {
    this(url, Optional.empty(), Optional.empty());
  }

  /**
   * A client of one controller.
   *
   * @param url such as {@code https://controller:8080}
   * @param token what the controller asks for
   * @param tls whom to trust where the address is https; empty to trust the JVM's authorities
   */
  public HistoryClient(String url, Optional<String> token, Optional<SSLContext> tls) {
    this.url = url.replaceAll("/+$", "");
    this.token = token;
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
    tls.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /**
   * The decisions for one tier, newest first.
   *
   * @param tier the tier's name; null for the only one of the node
   * @param last a number of decisions or a time span, as the controller accepts it
   * @throws InputException if the controller knows no such node, tier or span
   * @throws StackException if it cannot be reached or does not answer properly
   */
  public List<Target> decisions(String node, String tier, String last)
      throws InputException, StackException, InterruptedException {
    String path =
        "/api/v1/tiers/"
            + encoded(node)
            + "/history?last="
            + encoded(last)
            + (tier == null ? "" : "&tier=" + encoded(tier));
    HttpResponse<byte[]> response = get(path);
    if (response.statusCode() != 200) {
      throw refused(response);
    }
    try {
      return DECISIONS.decode(response.body()).decisions();
    } catch (WireException e) {
      throw new StackException(url + ": the answer cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads an answer that was kept.
   *
   * @throws InputException if it is none
   */
  public static List<Target> read(byte[] answer, String source) throws InputException {
    try {
      return DECISIONS.decode(answer).decisions();
    } catch (WireException e) {
      throw new InputException(source + ": is no history: " + e.getMessage(), e);
    }
  }

  private HttpResponse<byte[]> get(String path) throws StackException, InterruptedException {
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT);
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

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
