package io.dynims.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Values of 64 KiB whose bytes follow from their key, so that each can be checked. */
final class RedisData implements AutoCloseable {

  static final int VALUE_BYTES = 64 << 10;

  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  RedisData(int port) {
    client = RedisClient.create(RedisURI.create("127.0.0.1", port));
    connection = client.connect(ByteArrayCodec.INSTANCE);
  }

  /** Writes so many bytes of values, from key 0 on. */
  void write(long bytes) {
    for (int key = 0; key < bytes / VALUE_BYTES; key++) {
      connection.sync().set(key(key), value(key));
    }
  }

  /** Reads a value: false if it is not there. */
  boolean read(int key) {
    byte[] value = connection.sync().get(key(key));
    if (value != null && !Arrays.equals(value, value(key))) {
      throw new AssertionError("key " + key + " has a wrong value");
    }
    return value != null;
  }

  private static byte[] key(int key) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(key).array();
  }

  private static byte[] value(int key) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(key).nextBytes(value);
    return value;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
