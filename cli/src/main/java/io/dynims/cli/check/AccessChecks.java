package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;
import static io.dynims.cli.check.CheckSkippedException.skipIf;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.cli.check.TierProbe.Answer;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** What is served, and to whom. */
final class AccessChecks {

  private static final String WRONG_TOKEN = "not-a-token-of-this-adapter";
  private static final String FOREIGN_HOST = "dynims-tier-check.example";
  private static final int CONNECT_MILLIS = 1_000;

  private final TierProbe probe;

  AccessChecks(TierProbe probe) {
    this.probe = probe;
  }

  void addTo(Map<String, TierCheck.Check> checks) {
    checks.put("unknown-path", this::unknownPath);
    checks.put("other-methods", this::otherMethods);
    checks.put("token", this::token);
    checks.put("foreign-host", this::foreignHost);
  }

  private String unknownPath() throws CheckFailedException, IOException, InterruptedException {
    Answer answer = probe.get("/v1/no-such-path");
    require(
        answer.status() == 404,
        "GET /v1/no-such-path: not HTTP 404 but %s".formatted(answer.text()));
    return "HTTP 404";
  }

  private String otherMethods() throws CheckFailedException, IOException, InterruptedException {
    for (String method : List.of("DELETE", "POST")) {
      Answer answer = probe.send(method, TierApi.PATH, new byte[0], probe.options().token());
      require(
          answer.status() == 405,
          "%s %s: not HTTP 405 but %s".formatted(method, TierApi.PATH, answer.text()));
      List<String> allowed = Arrays.asList(answer.header("Allow").split("\\s*,\\s*", -1));
      require(
          allowed.containsAll(List.of("GET", "PUT")),
          "%s %s: the header Allow is '%s'"
              .formatted(method, TierApi.PATH, answer.header("Allow")));
    }
    return "HTTP 405 to DELETE and POST";
  }

  private String token()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    skipIf(probe.options().token().isEmpty(), "no --token-file");
    TierReading before = probe.settle(probe.read().maxBytes());
    for (Optional<String> wrong : List.of(Optional.<String>empty(), Optional.of(WRONG_TOKEN))) {
      String what = wrong.isPresent() ? "a wrong token" : "no token";
      byte[] body =
          TierApi.REQUEST.encode(
              new TierRequest(
                  before.between(0.5), probe.nextSampleMillis(), TierProbe.LEASE_MILLIS));
      Answer put = probe.send("PUT", TierApi.PATH, body, wrong);
      require(put.status() == 401, "PUT with %s: not HTTP 401 but %s".formatted(what, put.text()));
      require(
          put.header("WWW-Authenticate").startsWith("Bearer"),
          "PUT with %s: the header WWW-Authenticate is '%s'"
              .formatted(what, put.header("WWW-Authenticate")));
      long after = probe.read().capacityBytes();
      require(
          after == before.capacityBytes(),
          "PUT with %s: the capacity is %d now".formatted(what, after));
    }
    return "HTTP 401 to PUT with no token and with a wrong one";
  }

  /** A page in a browser reaches loopback under a name of its owner's. */
  private String foreignHost()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    URI adapter = probe.options().adapter();
    InetAddress address = InetAddress.getByName(adapter.getHost());
    skipIf(
        !address.isLoopbackAddress(),
        "%s is not a loopback address".formatted(address.getHostAddress()));
    String other = address.getHostAddress().equals("127.0.0.2") ? "127.0.0.3" : "127.0.0.2";
    skipIf(isOpen(other), "the adapter listens on other addresses than loopback as well");
    String status = statusLine(address);
    require(
        status.matches("HTTP/1\\.\\d 403.*"),
        "GET %s with Host: %s: not HTTP 403 but '%s'"
            .formatted(TierApi.PATH, FOREIGN_HOST, status));
    return "HTTP 403 to Host: " + FOREIGN_HOST;
  }

  /** Whether the adapter is on another address of loopback, too, and so on all addresses. */
  private boolean isOpen(String other) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(other, port()), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Java's own client does not send a foreign Host. */
  private String statusLine(InetAddress address) throws IOException {
    int millis = Math.toIntExact(Math.min(probe.options().answerTimeout().toMillis(), 600_000));
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(address, port()), millis);
      plain.setSoTimeout(millis);
      Socket socket = plain;
      if (isTls()) {
        socket = secured(plain);
      }
      String request =
          "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
              .formatted(TierApi.PATH, FOREIGN_HOST);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      socket.getOutputStream().flush();
      String line =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
      return line == null ? "no answer" : line;
    }
  }

  private Socket secured(Socket plain) throws IOException {
    SSLSocketFactory factory =
        probe
            .options()
            .tls()
            .map(context -> context.getSocketFactory())
            .orElseGet(() -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    String host = probe.options().adapter().getHost();
    SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port(), false);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    return socket;
  }

  private boolean isTls() {
    return probe.options().adapter().getScheme().equals("https");
  }

  private int port() {
    int port = probe.options().adapter().getPort();
    if (port >= 0) {
      return port;
    }
    return isTls() ? 443 : 80;
  }
}
