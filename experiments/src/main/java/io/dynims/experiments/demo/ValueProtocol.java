package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;

/** How a client reads and writes a value, in the two text protocols. */
public enum ValueProtocol {
  Redis {
    @Override
    byte[] get(LineSocket server, String key) throws IOException {
      server.send(("GET " + key + "\r\n").getBytes(US_ASCII));
      String head = server.line();
      if (head.equals("$-1")) {
        return null;
      }
      byte[] value = server.bytes(length(head, "$"));
      requireAnswer("", server.line());
      return value;
    }

    @Override
    void set(LineSocket server, String key, byte[] value) throws IOException {
      String head =
          "*3\r\n$3\r\nSET\r\n$" + key.length() + "\r\n" + key + "\r\n$" + value.length + "\r\n";
      server.send(head.getBytes(US_ASCII), value, END_OF_LINE);
      requireAnswer("+OK", server.line());
    }
  },

  Memcached {
    @Override
    byte[] get(LineSocket server, String key) throws IOException {
      server.send(("get " + key + "\r\n").getBytes(US_ASCII));
      String head = server.line();
      if (head.equals("END")) {
        return null;
      }
      byte[] value = server.bytes(length(head, "VALUE " + key + " 0 "));
      requireAnswer("", server.line());
      requireAnswer("END", server.line());
      return value;
    }

    @Override
    void set(LineSocket server, String key, byte[] value) throws IOException {
      String head = "set " + key + " 0 0 " + value.length + "\r\n";
      server.send(head.getBytes(US_ASCII), value, END_OF_LINE);
      requireAnswer("STORED", server.line());
    }
  };

  private static final byte[] END_OF_LINE = {'\r', '\n'};

  /** Reads a value; null if it is not there. */
  abstract byte[] get(LineSocket server, String key) throws IOException;

  /** Writes a value. */
  abstract void set(LineSocket server, String key, byte[] value) throws IOException;

  private static int length(String head, String beginning) throws IOException {
    try {
      if (head.startsWith(beginning)) {
        return Integer.parseInt(head.substring(beginning.length()));
      }
    } catch (NumberFormatException e) {
      // Not an answer to a read, either.
    }
    throw new IOException("the server answers a read with " + head);
  }

  private static void requireAnswer(String expected, String answer) throws IOException {
    if (!answer.equals(expected)) {
      throw new IOException("the server answers " + answer + " instead of " + expected);
    }
  }
}
