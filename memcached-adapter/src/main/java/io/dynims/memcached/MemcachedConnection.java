package io.dynims.memcached;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A connection that speaks memcached's text protocol, of which an adapter needs four commands. No
 * client library offers those that resize. Thread-safe; one command at a time.
 */
final class MemcachedConnection implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 1_000;
  private static final int MAX_LINE_BYTES = 2_048;
  private static final int MAX_STATISTICS = 100_000;

  private final Socket socket;
  private final InputStream in;

  /** The server answers, but asks for other credentials. */
  static final class UnauthenticatedException extends IOException {

    private static final long serialVersionUID = 1L;

    UnauthenticatedException(String answer) {
      super(answer);
    }
  }

  /**
   * Connects.
   *
   * @param credentials {@code USERNAME PASSWORD}; empty if the server asks for none
   * @throws UnauthenticatedException if the server refuses the credentials
   * @throws IOException if the server does not answer
   */
  MemcachedConnection(InetSocketAddress server, Optional<String> credentials) throws IOException {
    socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(
          new InetSocketAddress(server.getHostString(), server.getPort()), TIMEOUT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
      if (credentials.isPresent()) {
        authenticate(credentials.get());
      }
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** A server with an authentication file takes the credentials as the value of any key. */
  private void authenticate(String credentials) throws IOException {
    int bytes = credentials.getBytes(UTF_8).length;
    String answer = command("set auth 0 0 " + bytes + "\r\n" + credentials);
    if (!answer.equals("STORED")) {
      throw new UnauthenticatedException(answer);
    }
  }

  /**
   * Sends a command that has an answer of one line.
   *
   * @throws IOException if the connection is lost
   */
  synchronized String command(String text) throws IOException {
    send(text);
    return line();
  }

  /**
   * Asks for statistics, such as {@code stats slabs}.
   *
   * @throws UnauthenticatedException if the server asks for credentials
   * @throws IOException if the connection is lost, or the server refuses to tell them
   */
  synchronized Map<String, String> statistics(String text) throws IOException {
    send(text);
    Map<String, String> values = new LinkedHashMap<>();
    for (String line = line(); !line.equals("END"); line = line()) {
      if (line.equals("CLIENT_ERROR unauthenticated")) {
        throw new UnauthenticatedException(line);
      }
      String[] parts = line.split(" ", 3);
      if (parts.length != 3 || !parts[0].equals("STAT") || values.size() > MAX_STATISTICS) {
        throw new IOException(text + ": " + line);
      }
      values.put(parts[1], parts[2]);
    }
    return values;
  }

  private void send(String text) throws IOException {
    socket.getOutputStream().write((text + "\r\n").getBytes(UTF_8));
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the connection was closed");
      }
      if (line.size() == MAX_LINE_BYTES) {
        throw new IOException("a line has more than " + MAX_LINE_BYTES + " bytes");
      }
      line.write(next);
    }
    return line.toString(UTF_8).stripTrailing();
  }

  boolean isOpen() {
    return !socket.isClosed();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more either way.
    }
  }
}
