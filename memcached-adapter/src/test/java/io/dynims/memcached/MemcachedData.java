package io.dynims.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Values of 64 KiB whose bytes follow from their key, so that each can be checked. */
final class MemcachedData implements AutoCloseable {

  static final int VALUE_BYTES = 64 << 10;

  private final Socket socket;
  private final DataInputStream in;

  MemcachedData(InetSocketAddress server) throws IOException {
    socket = new Socket(server.getAddress(), server.getPort());
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), VALUE_BYTES));
  }

  /** Writes so many bytes of values, from key 0 on. */
  void write(long bytes) throws IOException {
    for (int key = 0; key < bytes / VALUE_BYTES; key++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(("set k" + key + " 0 0 " + VALUE_BYTES + "\r\n").getBytes(US_ASCII));
      out.writeBytes(value(key));
      out.writeBytes("\r\n".getBytes(US_ASCII));
      socket.getOutputStream().write(out.toByteArray());
      String answer = line();
      if (!answer.equals("STORED")) {
        throw new AssertionError("key " + key + ": " + answer);
      }
    }
  }

  /** Reads a value: false if it is not there. */
  boolean read(int key) throws IOException {
    socket.getOutputStream().write(("get k" + key + "\r\n").getBytes(US_ASCII));
    String head = line();
    if (head.equals("END")) {
      return false;
    }
    if (!head.equals("VALUE k" + key + " 0 " + VALUE_BYTES)) {
      throw new AssertionError("key " + key + ": " + head);
    }
    byte[] value = in.readNBytes(VALUE_BYTES);
    if (!Arrays.equals(value, value(key)) || !line().isEmpty() || !line().equals("END")) {
      throw new AssertionError("key " + key + " has a wrong value");
    }
    return true;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the connection was closed");
      }
      line.write(next);
    }
    return line.toString(US_ASCII).stripTrailing();
  }

  private static byte[] value(int key) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(key).nextBytes(value);
    return value;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
