package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.experiments.demo.TierLoad.Outcome;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a cache of a few lines that speaks memcached's protocol. */
class ValueSetTest {

  private static final int ITEMS = 3;

  private final Map<String, byte[]> cache = new HashMap<>();
  @AutoClose private ServerSocket server;
  private ValueSet values;

  @BeforeEach
  void start() throws Exception {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    MemorySampler.daemon(this::serve, "cache").start();
    values =
        new ValueSet(
            ValueProtocol.Memcached, server.getLocalPort(), 7, ITEMS * ValueSet.VALUE_BYTES);
    values.ensure(done -> {});
  }

  @Test
  void writesEveryValueAndReadsItBack() throws Exception {
    assertThat(cache).hasSize(ITEMS);
    try (TierLoad.Session session = values.session()) {
      for (int item = 0; item < values.items(); item++) {
        assertThat(session.read(item)).isEqualTo(Outcome.Correct);
      }
    }
  }

  @Test
  void writesALostValueAgain() throws Exception {
    try (TierLoad.Session session = values.session()) {
      synchronized (cache) {
        cache.clear();
      }
      assertThat(session.read(1)).isEqualTo(Outcome.Missed);
      assertThat(session.read(1)).isEqualTo(Outcome.Correct);
    }
  }

  @Test
  void noticesOneWrongByteAndTheValueOfAnotherKey() throws Exception {
    try (TierLoad.Session session = values.session()) {
      synchronized (cache) {
        cache.get("dynims-demo-7-0")[99]++;
        cache.put("dynims-demo-7-1", cache.get("dynims-demo-7-2"));
      }
      assertThat(session.read(0)).isEqualTo(Outcome.Wrong);
      assertThat(session.read(1)).isEqualTo(Outcome.Wrong);
      assertThat(session.read(2)).isEqualTo(Outcome.Correct);
    }
  }

  @Test
  void failsOnAnErrorAndConnectsAgain() throws Exception {
    try (TierLoad.Session session = values.session()) {
      byte[] value;
      synchronized (cache) {
        value = cache.put("dynims-demo-7-0", new byte[0]);
      }
      assertThatThrownBy(() -> session.read(0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("SERVER_ERROR");
      synchronized (cache) {
        cache.put("dynims-demo-7-0", value);
      }
      assertThat(session.read(0)).isEqualTo(Outcome.Correct);
    }
  }

  private void serve() {
    try {
      while (true) {
        Socket client = server.accept();
        MemorySampler.daemon(() -> answer(client), "cache-client").start();
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void answer(Socket client) {
    try (client) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = client.getOutputStream();
      for (String line = line(in); line != null; line = line(in)) {
        String[] words = line.split(" ", -1);
        synchronized (cache) {
          if (words[0].equals("set")) {
            cache.put(words[1], in.readNBytes(Integer.parseInt(words[4])));
            line(in);
            out.write("STORED\r\n".getBytes(US_ASCII));
          } else {
            get(words[1], out);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An empty value stands for an error. */
  private void get(String key, OutputStream out) throws IOException {
    byte[] value = cache.get(key);
    if (value != null && value.length == 0) {
      out.write("SERVER_ERROR out of memory\r\n".getBytes(US_ASCII));
      return;
    }
    if (value != null) {
      out.write(("VALUE " + key + " 0 " + value.length + "\r\n").getBytes(US_ASCII));
      out.write(value);
      out.write("\r\n".getBytes(US_ASCII));
    }
    out.write("END\r\n".getBytes(US_ASCII));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return null;
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }
}
