package io.dynims.experiments.demo;

import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.StackStore;
import java.io.IOException;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Values in a cache on this machine. What the cache has lost is written again, as its users do, so
 * a tier that has room fills up.
 */
public final class ValueSet implements TierLoad {

  /**
   * With what a server adds, just below 64 KiB, which allocators have pieces of. A little more, and
   * each value would leave pages untouched that count against the server's limit.
   */
  static final int VALUE_BYTES = 63 << 10;

  private static final int REPORT_VALUES = 1_024;

  private final ValueProtocol protocol;
  private final int port;
  private final long seed;
  private final int[] crcs;

  /**
   * Describes the values.
   *
   * @param port of the cache, on loopback
   * @param bytes the size of all values together, about
   */
  public ValueSet(ValueProtocol protocol, int port, long seed, long bytes) {
    this.protocol = protocol;
    this.port = port;
    this.seed = seed;
    this.crcs = new int[Math.toIntExact(bytes / VALUE_BYTES)];
  }

  /** The values in the cache of a stack whose store is Redis or memcached. */
  public static ValueSet of(StackSettings settings, long seed, long bytes) {
    StackStore store = settings.store();
    ValueProtocol protocol = ValueProtocol.valueOf(store.name());
    return new ValueSet(protocol, settings.port(store.key() + ".port"), seed, bytes);
  }

  @Override
  public int items() {
    return crcs.length;
  }

  @Override
  public int itemBytes() {
    return VALUE_BYTES;
  }

  /** Writes all values, of which the cache keeps what fits, and computes their checksums. */
  @Override
  public void ensure(LongConsumer doneBytes) throws IOException {
    try (Connection connection = new Connection()) {
      for (int item = 0; item < crcs.length; item++) {
        crcs[item] = crc(connection.write(item));
        if ((item + 1) % REPORT_VALUES == 0) {
          doneBytes.accept((item + 1L) * VALUE_BYTES);
        }
      }
    }
  }

  @Override
  public Session session() {
    return new Connection();
  }

  private String key(int item) {
    return "dynims-demo-" + seed + "-" + item;
  }

  /** One client, which connects when it is used and again after a failure. */
  private final class Connection implements Session {

    private LineSocket socket;

    @Override
    public Outcome read(int item) throws IOException {
      try {
        byte[] value = protocol.get(connected(), key(item));
        if (value == null) {
          var unused = write(item);
          return Outcome.Missed;
        }
        return crc(value) == crcs[item] ? Outcome.Correct : Outcome.Wrong;
      } catch (IOException e) {
        close();
        throw e;
      }
    }

    /** Writes a value and returns it. */
    byte[] write(int item) throws IOException {
      byte[] value = new byte[VALUE_BYTES];
      new BlockContent(seed, item).fill(value);
      protocol.set(connected(), key(item), value);
      return value;
    }

    private LineSocket connected() throws IOException {
      if (socket == null) {
        socket = new LineSocket(port);
      }
      return socket;
    }

    @Override
    public void close() {
      if (socket != null) {
        socket.close();
        socket = null;
      }
    }
  }

  private static int crc(byte[] value) {
    CRC32C crc = new CRC32C();
    crc.update(value);
    return (int) crc.getValue();
  }
}
