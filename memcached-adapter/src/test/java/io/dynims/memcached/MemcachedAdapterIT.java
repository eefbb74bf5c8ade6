package io.dynims.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.adapter.runtime.AdapterMetrics;
import io.dynims.adapter.runtime.CheckedValues;
import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.LimitedStoreContract;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real memcached server. */
class MemcachedAdapterIT extends LimitedStoreContract {

  private static final long MEBIBYTE = 1L << 20;

  @TempDir private static Path folder;

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

  @Test
  void refusesAServerThatWouldRefuseWrites() throws Exception {
    ServerProcess server = server(64 * MEBIBYTE, List.of("-M"));
    LimitedTier tier = start(server, 8 * MEBIBYTE, 64 * MEBIBYTE, 300);

    assertThatThrownBy(() -> tier.resize(8 * MEBIBYTE))
        .hasMessage(
            "localhost:"
                + server.address().getPort()
                + " was started with -M: with less memory it would refuse writes instead of"
                + " evicting; start it without");
    assertThatThrownBy(tier::status).hasMessageContaining("-M");
  }

  @Test
  void takesTheLeastThatTheServerTakesForASmallerGoal() throws Exception {
    LimitedTier tier = start(server(64 * MEBIBYTE), MEBIBYTE, 64 * MEBIBYTE, 4_000);
    fill();

    assertThat(tier.resize(4 * MEBIBYTE).capacityBytes()).isEqualTo(MemcachedServer.LEAST_BYTES);
    assertThat(tier.resize(9 * MEBIBYTE).capacityBytes()).isEqualTo(9 * MEBIBYTE);
    assertThat(tier.resize(0).capacityBytes()).isEqualTo(MemcachedServer.LEAST_BYTES);
    assertThat(tier.status().occupiedBytes()).isLessThan(16 * MEBIBYTE);
  }

  @Test
  void givesMemoryBackWhileTheServerMovesItsPagesItself() throws Exception {
    ServerProcess server = server(256 * MEBIBYTE, List.of("-o", "slab_automove=2"));
    LimitedTier tier = start(server, 8 * MEBIBYTE, 256 * MEBIBYTE, 300);
    AtomicBoolean done = new AtomicBoolean();
    Thread writing = new Thread(() -> writeManySizes(server, done));
    writing.start();
    try {
      await().until(() -> tier.status().occupiedBytes() > 240 * MEBIBYTE);
      for (int i = 0; i < 3; i++) {
        var unused = tier.resize(96 * MEBIBYTE);
        await().until(() -> tier.status().occupiedBytes() < (96 + 32) * MEBIBYTE);
        unused = tier.resize(256 * MEBIBYTE);
        await().until(() -> tier.status().occupiedBytes() > 240 * MEBIBYTE);
      }
    } finally {
      done.set(true);
      writing.join();
    }
  }

  /** Each size is a class of its own, and classes want each other's pages. */
  private static void writeManySizes(ServerProcess server, AtomicBoolean done) {
    try (Values values = new Values(server)) {
      for (int i = 0; !done.get(); i++) {
        int bytes = 1_000 << (i / 2_000 % 9);
        values.set("size" + bytes + "-" + i % 20_000, new byte[bytes]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void namesTheFileOfAPasswordThatTheServerRefusesUntilItIsCorrected() throws Exception {
    Path serverFile = Files.writeString(folder.resolve("server"), "dynims:right\n");
    Path adapterFile = Files.writeString(folder.resolve("adapter"), "dynims wrong\n");
    try (ServerProcess server = server(64 * MEBIBYTE, authentication(serverFile));
        LimitedTier tier = tier(server, Optional.of(adapterFile))) {
      String address = "localhost:" + server.address().getPort();
      assertThatThrownBy(tier::status)
          .hasMessage(
              address
                  + " refuses the user and the password in "
                  + adapterFile
                  + ": CLIENT_ERROR authentication failure");
      Files.writeString(adapterFile, "dynims right\n");

      await()
          .ignoreException(StoreUnavailableException.class)
          .until(() -> tier.resize(32 * MEBIBYTE).capacityBytes() == 32 * MEBIBYTE);

      try (LimitedTier without = tier(server, Optional.empty())) {
        assertThatThrownBy(without::status)
            .hasMessage(
                address
                    + " asks for a user and a password, store.password.file:"
                    + " CLIENT_ERROR unauthenticated");
      }
    }
  }

  @Test
  void tellsWhatThePagesOfEachClassOccupy() throws Exception {
    LimitedTier tier = start(server(64 * MEBIBYTE), 8 * MEBIBYTE, 64 * MEBIBYTE, 300);
    AdapterMetrics metrics = new AdapterMetrics("memcached");
    tier.register(metrics);
    fill();
    long residentBytes = tier.status().occupiedBytes();

    long slabBytes =
        metrics
            .scrape()
            .lines()
            .filter(line -> line.startsWith("dynims_adapter_slab_bytes{class="))
            .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
            .sum();

    assertThat(slabBytes).isBetween(32 * MEBIBYTE, residentBytes);
  }

  private static List<String> authentication(Path file) {
    // The folder is not for nobody.
    return List.of("-Y", file.toString(), "-u", System.getProperty("user.name"));
  }

  private static LimitedTier tier(ServerProcess server, Optional<Path> passwordFile)
      throws InterruptedException {
    LimitedTier tier =
        new LimitedTier(
            new LimitedSettings(
                "memcached",
                new CapacityBounds(8 * MEBIBYTE, 64 * MEBIBYTE),
                TimeUnit.MILLISECONDS.toNanos(300)),
            new MemcachedServer(new MemcachedSettings(server.address(), passwordFile)),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
    return tier;
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
