package io.dynims.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.adapter.runtime.CheckedValues;
import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.LimitedStoreContract;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.ServerProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A real Redis server. */
class RedisAdapterIT extends LimitedStoreContract {

  @Override
  protected ServerProcess server(long limitBytes) throws IOException {
    return server(limitBytes, "allkeys-lru");
  }

  static ServerProcess server(long limitBytes, String evictionPolicy) throws IOException {
    return new ServerProcess(
        Path.of("/usr/bin/redis-server"),
        "--port",
        List.of(
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--maxmemory",
            Long.toString(limitBytes),
            "--maxmemory-policy",
            evictionPolicy),
        "PING");
  }

  @Override
  protected LimitedStore store(ServerProcess on) {
    return new RedisServer(
        new RedisSettings(
            on.address(),
            "",
            Optional.empty(),
            Optional.empty(),
            TimeUnit.MILLISECONDS.toNanos(1)));
  }

  @Override
  protected CheckedValues values(ServerProcess of) {
    return new Values(of);
  }

  @Override
  protected void setLimit(ServerProcess of, long bytes) {
    RedisClient client = RedisClient.create(uri(of));
    client.connect().sync().configSet("maxmemory", Long.toString(bytes));
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }

  @Test
  void refusesAServerThatWouldRefuseWrites() throws Exception {
    LimitedTier tier = start(server(64 << 20, "noeviction"), 1, 64 << 20, 300);

    assertThatThrownBy(() -> tier.resize(1 << 20))
        .hasMessageContaining("maxmemory-policy noeviction")
        .hasMessageContaining("allkeys-lru");
    assertThatThrownBy(tier::status).hasMessageContaining("maxmemory-policy noeviction");
  }

  private static RedisURI uri(ServerProcess of) {
    return RedisURI.create("127.0.0.1", of.address().getPort());
  }

  private static final class Values extends CheckedValues {

    private final RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;

    Values(ServerProcess of) {
      client = RedisClient.create(uri(of));
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
