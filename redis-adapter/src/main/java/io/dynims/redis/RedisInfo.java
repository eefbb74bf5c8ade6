package io.dynims.redis;

import io.dynims.adapter.runtime.StoreReading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a server answers to {@code INFO}. */
record RedisInfo(Map<String, String> fields) {

  /** The server counts buffers of clients as used, so it rarely arrives at its limit exactly. */
  static final long SLACK_BYTES = 2L << 20;

  /** What others than keys may take of any goal. */
  private static final long MIN_HELD_BYTES = 4L << 20;

  /**
   * What is used by others than keys: buffers of clients, above all. Not every version has each of
   * them.
   */
  private static final List<String> HELD =
      List.of(
          "used_memory_startup",
          "used_memory_scripts",
          "mem_clients_normal",
          "mem_replication_backlog",
          "mem_cluster_links");

  /** Reads lines such as {@code used_memory:1234}; others are ignored. */
  static RedisInfo parse(String text) {
    Map<String, String> fields = new HashMap<>();
    for (String line : text.split("\r?\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.charAt(0) != '#') {
        fields.put(line.substring(0, colon), line.substring(colon + 1));
      }
    }
    return new RedisInfo(Map.copyOf(fields));
  }

  /**
   * What the server says of its memory and its reads.
   *
   * @param withheldBytes how far its limit is above what was asked for, as it cannot evict more
   */
  StoreReading reading(long withheldBytes) {
    return new StoreReading(
        limitBytes(),
        usedBytes(),
        number("used_memory_rss"),
        withheldBytes == 0 ? 0 : Math.max(0, usedBytes() - limitBytes() + withheldBytes),
        number("keyspace_hits"),
        number("keyspace_misses"),
        version());
  }

  /** What the server counts against its limit: not the buffers of its replicas. */
  long usedBytes() {
    return number("used_memory") - number("mem_not_counted_for_evict");
  }

  /** What no eviction frees. */
  long heldBytes() {
    return HELD.stream().filter(fields::containsKey).mapToLong(this::number).sum();
  }

  /** The limit; {@link Long#MAX_VALUE} for none. */
  long limitBytes() {
    long bytes = number("maxmemory");
    return bytes == 0 ? Long.MAX_VALUE : bytes;
  }

  /** The least limit at which the server gives what it can; needs the section keyspace. */
  long leastLimitBytes(long goalBytes) {
    // A server that finds no key to evict refuses writes.
    long marginBytes = evictsExpiringOnly() ? SLACK_BYTES : 0;
    return Math.max(
        usedBytes() - evictableBytes() + marginBytes,
        Math.min(usedBytes(), leastDataLimitBytes(goalBytes)));
  }

  /**
   * A limit that leaves most of the goal to keys. Where clients do not read what they have asked
   * for, all keys would be evicted for their buffers otherwise.
   */
  long leastDataLimitBytes(long goalBytes) {
    long heldInGoalBytes = Math.max(goalBytes / 4, MIN_HELD_BYTES);
    return heldBytes() + Math.max(0, goalBytes - heldInGoalBytes);
  }

  /**
   * What the server would evict, at most. Of keys that expire only their number is known, so half
   * of their part is taken at a time.
   */
  long evictableBytes() {
    long keys = count("keys=");
    if (!evicts() || keys == 0) {
      return 0;
    }
    long dataBytes = Math.max(0, usedBytes() - heldBytes());
    return evictsExpiringOnly()
        ? (long) (dataBytes * (count("expires=") / (2.0 * keys)))
        : dataBytes;
  }

  private boolean evictsExpiringOnly() {
    return evictionPolicy().startsWith("volatile-");
  }

  /** A number that each database tells of its keys. */
  private long count(String what) {
    return fields.entrySet().stream()
        .filter(field -> field.getKey().matches("db[0-9]+"))
        .flatMap(field -> Stream.of(field.getValue().split(",", -1)))
        .filter(part -> part.startsWith(what))
        .mapToLong(part -> Long.parseLong(part.substring(what.length())))
        .sum();
  }

  /** Whether the server evicts at all, instead of refusing writes. */
  boolean evicts() {
    return !evictionPolicy().equals("noeviction");
  }

  String evictionPolicy() {
    return fields.getOrDefault("maxmemory_policy", "");
  }

  /** Such as {@code jemalloc-5.3.0}; {@code libc} has nothing that MEMORY PURGE could give back. */
  String allocator() {
    return fields.getOrDefault("mem_allocator", "");
  }

  /** Whether the data is a copy of a master's, which decides what is evicted. */
  boolean isReplica() {
    return fields.getOrDefault("role", "").equals("slave");
  }

  private String version() {
    String valkey = fields.get("valkey_version");
    return valkey == null ? "redis " + fields.get("redis_version") : "valkey " + valkey;
  }

  private long number(String field) {
    String text = fields.get(field);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalStateException("INFO says " + field + ":" + text, e);
    }
  }
}
