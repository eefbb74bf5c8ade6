package io.dynims.cli.stack;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The store behind the stack's tier; its names are those of {@code spec.store.type}. */
public enum StackStore {
  Alluxio(AlluxioParts.WORKER, 0, Optional.empty()),
  Redis(RedisParts.SERVER, StackStore.LEAST_BYTES, Optional.of("redis-server")),
  Memcached(MemcachedParts.SERVER, StackStore.LEAST_BYTES, Optional.of("memcached")),
  MpiIo(MpiIoParts.AGENT, 0, Optional.empty());

  /** The least limit that the adapters of Redis and memcached set by default. */
  private static final long LEAST_BYTES = 16L << 20;

  private final String server;
  private final long minBytes;
  private final Optional<String> program;

  StackStore(String server, long minBytes, Optional<String> program) {
    this.server = server;
    this.minBytes = minBytes;
    this.program = program;
  }

  /** The store of a value of the setting {@code store}; empty if there is none. */
  static Optional<StackStore> of(String key) {
    return Arrays.stream(values()).filter(store -> store.key().equals(key)).findFirst();
  }

  /** The values of the setting {@code store}. */
  static List<String> keys() {
    return Arrays.stream(values()).map(StackStore::key).toList();
  }

  /** The value of the setting {@code store}; also the tier's name in the policy of {@code up}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The policy that {@code up} writes, a file in {@link StackHome#policies}. */
  public String policyFile() {
    return key() + ".yaml";
  }

  /** The name of the part that holds the tier's data. */
  public String server() {
    return server;
  }

  /** The least capacity that the tier can have. */
  long minBytes() {
    return minBytes;
  }

  /** Whether the tier's data is in a folder of {@code tier.parent}. */
  boolean isInTierParent() {
    return this == Alluxio || this == MpiIo;
  }

  /**
   * The server's program, which Debian has in a package of the same name; empty for what is built
   * here.
   */
  Optional<String> program() {
    return program;
  }
}
