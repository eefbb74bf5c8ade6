package io.dynims.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.adapter.runtime.CheckedValues;
import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.LimitedStoreContract;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.LogLines;
import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.local.FreePorts;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis server, and an adapter whose user has no more rights than it needs. */
class RedisAdapterIT extends LimitedStoreContract {

  private static final long MEBIBYTE = 1L << 20;
  private static final String PASSWORD = "secret";

  @TempDir private static Path folder;
  private static Path passwordFile;

  @BeforeAll
  static void writePassword() throws IOException {
    passwordFile = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
  }

  @Override
  protected ServerProcess server(long limitBytes) throws IOException {
    return RedisProcess.start(limitBytes, RedisProcess.user(PASSWORD));
  }

  @Override
  protected LimitedStore store(ServerProcess on) {
    return new RedisServer(settings(on));
  }

  private static RedisSettings settings(ServerProcess on) {
    return RedisProcess.settings(on, Optional.of(passwordFile), Optional.empty());
  }

  @Override
  protected CheckedValues values(ServerProcess of) {
    return new Values(of);
  }

  @Override
  protected void setLimit(ServerProcess of, long bytes) {
    var unused = RedisProcess.ask(of, redis -> redis.configSet("maxmemory", Long.toString(bytes)));
  }

  @Test
  void refusesAServerThatWouldRefuseWrites() throws Exception {
    ServerProcess server = server(64 * MEBIBYTE);
    var unused =
        RedisProcess.ask(server, redis -> redis.configSet("maxmemory-policy", "noeviction"));
    LimitedTier tier = start(server, 1, 64 * MEBIBYTE, 300);

    assertThatThrownBy(() -> tier.resize(MEBIBYTE))
        .hasMessageContaining("maxmemory-policy noeviction")
        .hasMessageContaining("allkeys-lru");
    assertThatThrownBy(tier::status).hasMessageContaining("maxmemory-policy noeviction");
  }

  @Test
  void connectsAnewWhenItsConnectionsHaveVanishedWithoutAnEnd() throws Exception {
    try (ServerProcess server = server(64 * MEBIBYTE);
        VanishingRoute route = new VanishingRoute(server.address());
        LimitedTier tier =
            RedisProcess.tier(RedisProcess.at(route.address(), settings(server)), 64 * MEBIBYTE)) {
      assertThat(tier.resize(32 * MEBIBYTE).capacityBytes()).isEqualTo(32 * MEBIBYTE);

      route.vanish();

      RedisProcess.await().until(() -> tier.resize(16 * MEBIBYTE).capacityBytes() == 16 * MEBIBYTE);
    }
  }

  @Test
  void resizesAMemberOfACluster() throws Exception {
    List<String> options = new ArrayList<>(RedisProcess.user(PASSWORD));
    options.addAll(List.of("--cluster-enabled", "yes"));
    options.addAll(List.of("--cluster-port", Integer.toString(FreePorts.next())));
    options.addAll(List.of("--cluster-config-file", folder.resolve("nodes.conf").toString()));
    ServerProcess server = RedisProcess.start(64 * MEBIBYTE, options);
    LimitedTier tier = start(server, MEBIBYTE, 64 * MEBIBYTE, 300);
    var unused =
        RedisProcess.ask(
            server, redis -> redis.clusterAddSlots(IntStream.range(0, 16_384).toArray()));
    await()
        .until(
            () ->
                RedisProcess.ask(server, RedisCommands::clusterInfo).contains("cluster_state:ok"));
    try (CheckedValues values = values(server)) {
      values.write(48 * MEBIBYTE);
    }

    tier.resize(16 * MEBIBYTE);

    await().until(() -> tier.status().capacityBytes() == 16 * MEBIBYTE);
    await().until(() -> tier.status().usedBytes() <= 18 * MEBIBYTE);
  }

  @Test
  void goesOnWhereTheServerCannotDefragment() throws Exception {
    try (LogLines lines = new LogLines(RedisServer.class);
        ServerProcess server = server(64 * MEBIBYTE);
        RedisServer store = new RedisServer(RedisProcess.defragmenting(settings(server)))) {
      store.connect();
      server.kill();
      server.start();
      store.connect();

      assertThat(store.step(32 * MEBIBYTE)).isTrue();
      assertThat(store.read().limitBytes()).isEqualTo(32 * MEBIBYTE);
      assertThat(lines.with("activedefrag")).hasSize(1);
    }
  }

  private static final class Values extends CheckedValues {

    private final RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;

    Values(ServerProcess of) {
      client = RedisClient.create(RedisProcess.uri(of));
      connection = client.connect(RedisCodec.of(StringCodec.ASCII, ByteArrayCodec.INSTANCE));
    }

    @Override
    protected void set(String key, byte[] value) {
      connection.sync().set(key, value);
    }

    @Override
    protected byte[] get(String key) {
      return connection.sync().get(key);
    }

    @Override
    public void close() {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
