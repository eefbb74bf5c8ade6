package io.dynims.memcached;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
    return new MemcachedValues(of);
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
}
