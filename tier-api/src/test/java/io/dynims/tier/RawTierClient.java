package io.dynims.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import javax.net.SocketFactory;

/**
 * One connection to a Tier API, whose server's name is not checked. With TLS it resumes the session
 * of the last connection from the same context, if the server does.
 */
public final class RawTierClient implements Closeable {

  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String HINT = "{\"owner\":\"job\",\"bytes\":1}";

  private final Socket socket;

  /**
   * Connects.
   *
   * @param sockets those of TLS, or plain ones
   */
  public RawTierClient(URI server, SocketFactory sockets) throws IOException {
    this.socket = sockets.createSocket(server.getHost(), server.getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
  }

  /**
   * The status codes of one request each of all those that change something.
   *
   * @param token sent with them; null for none
   */
  public Set<Integer> change(String token) throws IOException {
    Set<Integer> answers = new TreeSet<>();
    answers.add(put(500, token));
    answers.add(send("POST", TierApi.HINTS_PATH, HINT, token));
    answers.add(send("DELETE", TierApi.HINTS_PATH + "?owner=job", "", token));
    return answers;
  }

  int get() throws IOException {
    return send("GET", TierApi.PATH, "", null);
  }

  int put(long bytes, String token) throws IOException {
    TierRequest request = new TierRequest(bytes, System.currentTimeMillis(), TIMEOUT_MILLIS);
    String body = new String(TierApi.REQUEST.encode(request), US_ASCII);
    return send("PUT", TierApi.PATH, body, token);
  }

  private int send(String method, String path, String body, String token) throws IOException {
    String authorization = token == null ? "" : "Authorization: Bearer " + token + "\r\n";
    String request =
        "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s"
            .formatted(method, path, authorization, body.length(), body);
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the connection ended after '" + head + "'");
      }
      head.append((char) next);
    }
    String length =
        head.toString()
            .toLowerCase(Locale.ROOT)
            .replaceFirst("(?s).*content-length: (\\d+).*", "$1");
    in.skipNBytes(Long.parseLong(length));
    return Integer.parseInt(head.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
