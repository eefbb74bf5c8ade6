package io.dynims.controller;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A client that sends what it is told to, and reads only when it is told to. */
public final class RawClient implements AutoCloseable {

  private static final int BUFFER_BYTES = 4 << 10;

  private static final int TIMEOUT_MILLIS = 200_000;

  private final Socket socket = new Socket();

  /** Connects to a port of loopback. */
  public RawClient(int port) throws IOException {
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setReceiveBufferSize(BUFFER_BYTES);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Sends a GET request. */
  public RawClient get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  /** Sends text. */
  public RawClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    return this;
  }

  /** Reads until a text has come; false if the server closed the connection before. */
  public boolean reads(String text) {
    StringBuilder all = new StringBuilder();
    for (int next = read(); next >= 0; next = read()) {
      all.append((char) next);
      if (all.indexOf(text, all.length() - text.length()) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Reads until the server closes the connection. */
  public String readToEnd() {
    StringBuilder text = new StringBuilder();
    for (int next = read(); next >= 0; next = read()) {
      text.append((char) next);
    }
    return text.toString();
  }

  /** The next byte, or -1 after the server closed or reset the connection. */
  private int read() {
    try {
      return socket.getInputStream().read();
    } catch (SocketTimeoutException e) {
      throw new UncheckedIOException(e);
    } catch (IOException e) {
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
