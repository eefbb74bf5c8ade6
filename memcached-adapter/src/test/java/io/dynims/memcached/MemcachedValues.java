package io.dynims.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.runtime.CheckedValues;
import io.dynims.adapter.runtime.ServerProcess;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** A client of a memcached server. */
final class MemcachedValues extends CheckedValues {

  private final Socket socket;
  private final InputStream in;

  MemcachedValues(ServerProcess of) throws IOException {
    socket = new Socket(of.address().getAddress(), of.address().getPort());
    in = new BufferedInputStream(socket.getInputStream(), VALUE_BYTES);
  }

  @Override
  protected void set(String key, byte[] value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("set " + key + " 0 0 " + value.length + "\r\n").getBytes(US_ASCII));
    out.writeBytes(value);
    out.writeBytes("\r\n".getBytes(US_ASCII));
    socket.getOutputStream().write(out.toByteArray());
    assertThat(line()).isEqualTo("STORED");
  }

  @Override
  protected byte[] get(String key) throws IOException {
    socket.getOutputStream().write(("get " + key + "\r\n").getBytes(US_ASCII));
    String head = line();
    if (head.equals("END")) {
      return null;
    }
    assertThat(head).isEqualTo("VALUE " + key + " 0 " + VALUE_BYTES);
    byte[] value = in.readNBytes(VALUE_BYTES);
    assertThat(line() + line()).isEqualTo("END");
    return value;
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

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
