package io.dynims.cli.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Readiness checks over the network. */
public final class Probes {

  private static final int TIMEOUT_MILLIS = 1_000;

  /**
   * An ApiVersions request: length, version 0, correlation 1, no client id. Any broker answers it.
   */
  private static final byte[] API_VERSIONS = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, -1, -1};

  private final StackTls tls;
  private SSLContext context;
  private HttpClient http;

  Probes(StackTls tls) {
    this.tls = tls;
  }

  /** Whether something accepts connections on a loopback port. */
  public static boolean accepts(int port) {
    try (Socket socket = connect(port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  Optional<String> port(int port) {
    return accepts(port) ? Optional.empty() : Optional.of("nothing listens on port " + port);
  }

  /** Whether something listens on a Unix socket. */
  static Optional<String> socket(Path socket) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return channel.isConnected() ? Optional.empty() : Optional.of("nothing listens on " + socket);
    }
  }

  /** Whether a broker answers; it listens before it serves. */
  Optional<String> kafka(int port) throws IOException {
    try (Socket socket = secured(connect(port), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(API_VERSIONS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readInt();
      return in.readInt() == 1 ? Optional.empty() : Optional.of("port " + port + " is no broker");
    }
  }

  /** Whether a server answers a line with one that begins as it should. */
  Optional<String> answer(int port, String command, String beginning) throws IOException {
    try (Socket socket = connect(port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write((command + "\r\n").getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readNBytes(beginning.length()), US_ASCII);
      return answer.equals(beginning)
          ? Optional.empty()
          : Optional.of("port " + port + " answers " + command + " with " + answer.strip());
    }
  }

  /** Whether a GET is answered with 200. */
  Optional<String> http(String url) throws IOException, InterruptedException {
    HttpResponse<String> response = get(url);
    return response.statusCode() == 200
        ? Optional.empty()
        : Optional.of(url + " answers " + response.statusCode() + " " + firstLine(response.body()));
  }

  /** A GET, whatever the status. */
  HttpResponse<String> get(String url) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofMillis(2 * TIMEOUT_MILLIS))
            .build();
    return http().send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** The certificates may be made after this object. */
  private synchronized HttpClient http() throws IOException {
    if (http == null) {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(Duration.ofMillis(TIMEOUT_MILLIS));
      tls.context().ifPresent(builder::sslContext);
      http = builder.build();
    }
    return http;
  }

  private synchronized Socket secured(Socket socket, int port) throws IOException {
    if (context == null) {
      context = tls.context().orElse(null);
    }
    return context == null
        ? socket
        : context.getSocketFactory().createSocket(socket, "127.0.0.1", port, true);
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static String firstLine(String body) {
    String line = body.lines().findFirst().orElse("");
    return line.length() > 200 ? line.substring(0, 200) + "…" : line;
  }
}
