package io.dynims.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.adapter.runtime.CheckedValues;
import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.LimitedStoreContract;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.ServerProcess;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A real memcached server. */
class MemcachedAdapterIT extends LimitedStoreContract {

  private static final long MEBIBYTE = 1L << 20;

  @Override
  protected ServerProcess server(long limitBytes) throws IOException {
    return server(limitBytes, List.of());
  }

  static ServerProcess server(long limitBytes, List<String> more) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of("-l", "127.0.0.1", "-U", "0", "-m", Long.toString(limitBytes / MEBIBYTE)));
    if (System.getProperty("user.name").equals("root")) {
      options.addAll(List.of("-u", "nobody"));
    }
    options.addAll(more);
    return new ServerProcess(Path.of("/usr/bin/memcached"), "-p", options, "version");
  }

  @Override
  protected LimitedStore store(ServerProcess on) {
    return new MemcachedServer(new MemcachedSettings(on.address(), Optional.empty()));
  }

  @Override
  protected CheckedValues values(ServerProcess of) throws IOException {
    return new Values(of);
  }

  @Override
  protected void setLimit(ServerProcess of, long bytes) throws IOException {
    try (var other = new MemcachedConnection(of.address(), Optional.empty())) {
      assertThat(other.command("cache_memlimit " + bytes / MEBIBYTE)).isEqualTo("OK");
    }
  }

  @Test
  void refusesAServerThatNeverGivesMemoryBack() throws Exception {
    LimitedTier tier =
        start(
            server(64 * MEBIBYTE, List.of("-o", "no_slab_reassign")),
            8 * MEBIBYTE,
            64 * MEBIBYTE,
            300);

    assertThatThrownBy(tier::status).hasMessageContaining("no_slab_reassign");
  }

  private static final class Values extends CheckedValues {

    private final Socket socket;
    private final InputStream in;

    Values(ServerProcess of) throws IOException {
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
}
