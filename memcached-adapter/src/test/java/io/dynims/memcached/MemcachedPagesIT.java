package io.dynims.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.adapter.runtime.CheckedValues;
import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.LogLines;
import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of a real memcached server that others move or hold. */
class MemcachedPagesIT {

  private static final long MEBIBYTE = 1L << 20;
  private static final long MAX_BYTES = 256 * MEBIBYTE;

  @Test
  void givesMemoryBackWhileTheServerMovesItsPagesItself() throws Exception {
    try (ServerProcess server = server(2);
        LimitedTier tier = tier(server)) {
      var unused = tier.resize(MAX_BYTES);
      try (Writer writer = new Writer(server, i -> 1_000 << (i / 2_000 % 9))) {
        awaitOccupiedAbove(tier, 240 * MEBIBYTE);
        for (int i = 0; i < 3; i++) {
          unused = tier.resize(96 * MEBIBYTE);
          awaitOccupiedBelow(tier, (96 + 32) * MEBIBYTE);
          unused = tier.resize(MAX_BYTES);
          awaitOccupiedAbove(tier, 240 * MEBIBYTE);
        }
      }
    }
  }

  /** Such a page waits for room in its class, of which nobody writes an item any more. */
  @Test
  void givesMemoryBackAfterTheServerBeganToMoveAPageOfAGrowingTier() throws Exception {
    try (ServerProcess server = server(1);
        LimitedTier tier = tier(server);
        MemcachedValues values = new MemcachedValues(server)) {
      var unused = tier.resize(128 * MEBIBYTE);
      values.write(120 * MEBIBYTE);
      try (Writer writer = new Writer(server, i -> 1_000)) {
        for (int i = 0; i < 2; i++) {
          // The server moves a page if one class has evicted for a while, and another has not.
          TimeUnit.SECONDS.sleep(5);
          unused = tier.resize(MAX_BYTES);
          TimeUnit.SECONDS.sleep(2);
          unused = tier.resize(128 * MEBIBYTE);
          awaitOccupiedBelow(tier, (128 + 16) * MEBIBYTE);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void stopsAPageMoverThatGetsStuckWithEachPush(int automove) throws Exception {
    try (ServerProcess server = server(automove);
        LimitedTier tier = tier(server);
        var client = new MemcachedConnection(server.address(), Optional.empty())) {
      var unused = tier.status();
      assertThat(automove(client)).isEqualTo(Integer.toString(automove));

      boolean getsStuck = client.statistics("stats").containsKey("slab_reassign_busy_nomem");
      for (long goalBytes : new long[] {MAX_BYTES, MAX_BYTES / 2}) {
        unused = tier.resize(goalBytes);

        assertThat(automove(client)).isEqualTo(getsStuck ? "0" : Integer.toString(automove));
        assertThat(client.command("slabs automove " + automove)).isEqualTo("OK");
      }
    }
  }

  private static String automove(MemcachedConnection client) throws IOException {
    return client.statistics("stats settings").get("slab_automove");
  }

  @Test
  void givesTheRestBackWhenAClientThatHeldAPageIsGone() throws Exception {
    try (ServerProcess server = server(1);
        LimitedTier tier = tier(server);
        LogLines lines = new LogLines(PageMover.class)) {
      try (MemcachedValues values = new MemcachedValues(server)) {
        values.write(MAX_BYTES);
      }
      try (Socket half = new Socket(server.address().getAddress(), server.address().getPort())) {
        beginValue(server, half);

        var unused = tier.resize(8 * MEBIBYTE);
        await().until(() -> !lines.with("gives no memory back").isEmpty());
        assertThat(tier.status().occupiedBytes()).isGreaterThan(16 * MEBIBYTE);
      }

      awaitOccupiedBelow(tier, 16 * MEBIBYTE);
      assertThat(lines.with("gives no memory back")).hasSize(1);
    }
  }

  /** Returns when the server has an item for the value and waits for its second half. */
  private static void beginValue(ServerProcess server, Socket client) throws IOException {
    String command = "set half 0 0 " + CheckedValues.VALUE_BYTES + "\r\n";
    client.getOutputStream().write(command.getBytes(US_ASCII));
    client.getOutputStream().write(new byte[CheckedValues.VALUE_BYTES / 2]);
    try (var other = new MemcachedConnection(server.address(), Optional.empty())) {
      await().until(() -> conns(other).containsValue("conn_nread"));
    }
  }

  private static Map<String, String> conns(MemcachedConnection client) throws IOException {
    return client.statistics("stats conns");
  }

  private static void awaitOccupiedAbove(LimitedTier tier, long bytes) {
    await().until(() -> occupiedBytes(tier) > bytes);
  }

  private static void awaitOccupiedBelow(LimitedTier tier, long bytes) {
    await().until(() -> occupiedBytes(tier) < bytes);
  }

  private static long occupiedBytes(LimitedTier tier) throws StoreUnavailableException {
    return tier.status().occupiedBytes();
  }

  private static ServerProcess server(int automove) throws IOException {
    return MemcachedAdapterIT.server(MAX_BYTES, List.of("-o", "slab_automove=" + automove));
  }

  private static LimitedTier tier(ServerProcess server) throws InterruptedException {
    LimitedTier tier =
        new LimitedTier(
            new LimitedSettings(
                "memcached",
                new CapacityBounds(8 * MEBIBYTE, MAX_BYTES),
                TimeUnit.MILLISECONDS.toNanos(300)),
            new MemcachedServer(new MemcachedSettings(server.address(), Optional.empty())),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
    return tier;
  }

  /** Writes values until it is closed. Each size is a class of its own. */
  private static final class Writer implements AutoCloseable {

    private final AtomicBoolean done = new AtomicBoolean();
    private final Thread thread;

    Writer(ServerProcess server, IntUnaryOperator sizes) {
      thread = new Thread(() -> write(server, sizes));
      thread.start();
    }

    private void write(ServerProcess server, IntUnaryOperator sizes) {
      try (MemcachedValues values = new MemcachedValues(server)) {
        for (int i = 0; !done.get(); i++) {
          int bytes = sizes.applyAsInt(i);
          values.set("size" + bytes + "-" + i % 200_000, new byte[bytes]);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws InterruptedException {
      done.set(true);
      thread.join();
    }
  }
}
