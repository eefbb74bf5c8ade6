package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A connection to a server on this machine that answers in lines and in counted bytes. */
final class LineSocket implements AutoCloseable {

  /** A cache that needs longer has failed. */
  private static final int TIMEOUT_MILLIS = 5_000;

  private static final int MAX_LINE_BYTES = 1_024;
  private static final int MAX_VALUE_BYTES = 1 << 20;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Socket socket = new Socket();
  private final InputStream in;

  /** Connects. */
  LineSocket(int port) throws IOException {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Sends the parts of one message at once. */
  void send(byte[]... parts) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      message.writeBytes(part);
    }
    message.writeTo(socket.getOutputStream());
  }

  /** Receives a line, without its end. */
  String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (line.size() == MAX_LINE_BYTES) {
        throw new IOException("a line has more than " + MAX_LINE_BYTES + " bytes");
      }
      line.write(next);
    }
    return line.toString(US_ASCII).stripTrailing();
  }

  /** Receives so many bytes, at most 1 MiB. */
  byte[] bytes(int count) throws IOException {
    if (count < 0 || count > MAX_VALUE_BYTES) {
      throw new IOException("a value has " + count + " bytes");
    }
    byte[] bytes = new byte[count];
    if (in.readNBytes(bytes, 0, count) < count) {
      throw new EOFException("the server has closed the connection");
    }
    return bytes;
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
