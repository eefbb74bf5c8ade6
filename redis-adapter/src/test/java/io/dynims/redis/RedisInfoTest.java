package io.dynims.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In MiB: 100 are used, of which 1 is the server's own. */
class RedisInfoTest {

  private static final long MEBIBYTE = 1L << 20;

  @ParameterizedTest(name = "{0}, {1} MiB of buffers, {2}, goal {3} -> {4}")
  @CsvSource({
    "allkeys-lru, 0, 'keys=100,expires=0', 60, 46",
    "allkeys-lru, 15, 'keys=100,expires=0', 60, 61",
    "allkeys-lru, 60, 'keys=100,expires=0', 60, 100",
    "allkeys-lru, 60, 'keys=100,expires=0', 16, 73",
    "allkeys-lru, 60, 'keys=100,expires=0', 0, 61",
    "allkeys-lru, 99, '', 16, 100",
    "volatile-lru, 0, 'keys=100,expires=100', 10, 52",
    "volatile-ttl, 0, 'keys=100,expires=10', 10, 97",
    "volatile-lfu, 0, 'keys=100,expires=0', 10, 102",
    "noeviction, 0, 'keys=100,expires=100', 10, 100"
  })
  void goesNoLowerThanEvictingHelps(
      String policy, int buffersMib, String keys, int goalMib, int leastMib) {
    RedisInfo info = info(policy, buffersMib, keys);

    assertThat(info.leastLimitBytes(goalMib * MEBIBYTE) / MEBIBYTE).isEqualTo(leastMib);
  }

  @Test
  void countsTheKeysOfAllDatabases() {
    RedisInfo info =
        info("volatile-lru", 0, "keys=50,expires=1,avg_ttl=7\ndb12:keys=50,expires=99,avg_ttl=0");

    assertThat(info.evictableBytes()).isEqualTo(99 * MEBIBYTE / 2);
  }

  private static RedisInfo info(String policy, int buffersMib, String keys) {
    return RedisInfo.parse(
        """
        # Memory
        used_memory:%d
        used_memory_startup:%d
        mem_clients_normal:%d
        mem_not_counted_for_evict:0
        maxmemory_policy:%s
        # Keyspace
        %s%s
        """
            .formatted(
                100 * MEBIBYTE,
                MEBIBYTE,
                buffersMib * MEBIBYTE,
                policy,
                keys.isEmpty() ? "" : "db0:",
                keys));
  }
}
