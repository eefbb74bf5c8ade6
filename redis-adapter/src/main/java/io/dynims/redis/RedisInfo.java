package io.dynims.redis;

import io.dynims.adapter.runtime.StoreReading;
import java.util.HashMap;
import java.util.Map;

/** What a server answers to {@code INFO}. */
record RedisInfo(Map<String, String> fields) {

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

  /** What the server says of its memory and its reads. */
  StoreReading reading() {
    return new StoreReading(
        limitBytes() == 0 ? Long.MAX_VALUE : limitBytes(),
        usedBytes(),
        number("used_memory_rss"),
        number("keyspace_hits"),
        number("keyspace_misses"),
        version());
  }

  /** What the server counts against its limit: not the buffers of its replicas. */
  long usedBytes() {
    return number("used_memory") - number("mem_not_counted_for_evict");
  }

  /** The limit; 0 for none. */
  long limitBytes() {
    return number("maxmemory");
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
