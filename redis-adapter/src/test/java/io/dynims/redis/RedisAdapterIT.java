package io.dynims.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real server that is resized while it is used. */
class RedisAdapterIT {

  private static final long MEBIBYTE = 1L << 20;
  private static final long MAX_BYTES = 512 * MEBIBYTE;
  private static final long SMALL_BYTES = 128 * MEBIBYTE;

  /** The server itself, and what its allocator keeps. */
  private static final long OVERHEAD_BYTES = 32 * MEBIBYTE;

  private static final int READS_AT_REST = 2_000;

  private RedisProcess redis;
  private LimitedTier tier;

  private void start(String policy) throws Exception {
    redis = new RedisProcess("--maxmemory", "512mb", "--maxmemory-policy", policy);
    RedisSettings settings = redis.settings(16 * MEBIBYTE, MAX_BYTES);
    tier =
        new LimitedTier(
            "redis",
            new RedisServer(settings),
            settings.bounds(),
            TimeUnit.MILLISECONDS.toNanos(300),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
  }

  @AfterEach
  void stop() throws Exception {
    if (tier != null) {
      tier.close();
    }
    if (redis != null) {
      redis.close();
    }
  }

  @Test
  void givesMemoryBackWhileOthersReadAndReturnsNoWrongValue() throws Exception {
    start("allkeys-lru");
    try (RedisData writer = new RedisData(redis.port());
        RedisData reader = new RedisData(redis.port())) {
      writer.write(MAX_BYTES);
      int keys = (int) (MAX_BYTES / RedisData.VALUE_BYTES);
      long[] atRest = new long[READS_AT_REST];
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < READS_AT_REST; i++) {
        atRest[i] = timed(reader, random.nextInt(keys));
      }
      AtomicBoolean done = new AtomicBoolean();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      long[] meanwhile = new long[1_000_000];
      int[] count = {0};
      Thread reading =
          new Thread(
              () -> {
                try {
                  while (!done.get() && count[0] < meanwhile.length) {
                    meanwhile[count[0]++] = timed(reader, random.nextInt(keys));
                  }
                } catch (RuntimeException | AssertionError e) {
                  failure.set(e);
                }
              });
      reading.start();
      long beginNanos = System.nanoTime();
      TierStatus status = tier.resize(SMALL_BYTES);
      while (status.occupiedBytes() > SMALL_BYTES + OVERHEAD_BYTES) {
        assertThat(System.nanoTime() - beginNanos).isLessThan(TimeUnit.SECONDS.toNanos(60));
        TimeUnit.MILLISECONDS.sleep(2);
        status = tier.status();
      }
      double seconds = (System.nanoTime() - beginNanos) / 1e9;
      done.set(true);
      reading.join();

      assertThat(failure.get()).isNull();
      assertThat(status.capacityBytes()).isEqualTo(SMALL_BYTES);
      System.out.printf(
          Locale.ROOT,
          "redis: 512 to 128 MiB resident in %.3f s; a reader's p99 %.2f ms at rest, %.2f ms"
              + " meanwhile (%d reads)%n",
          seconds,
          percentile(atRest, READS_AT_REST),
          percentile(meanwhile, count[0]),
          count[0]);
    }
  }

  @Test
  void growsAgainAndSetsItsLimitBackWhenSomebodyElseHasChangedIt() throws Exception {
    start("allkeys-lfu");
    tier.resize(SMALL_BYTES);
    assertThat(tier.resize(MAX_BYTES).capacityBytes()).isEqualTo(MAX_BYTES);

    RedisClient other = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
    other.connect().sync().configSet("maxmemory", "99mb");
    other.shutdown(0, 1, TimeUnit.SECONDS);

    await().until(() -> tier.status().capacityBytes() == MAX_BYTES);
  }

  @Test
  void restoresTheLimitOfAServerThatWasKilled() throws Exception {
    start("allkeys-lru");
    tier.resize(SMALL_BYTES);

    redis.kill();
    await()
        .untilAsserted(
            () -> assertThatThrownBy(tier::status).isInstanceOf(StoreUnavailableException.class));
    redis.start();

    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreException(StoreUnavailableException.class)
        .until(() -> tier.status().capacityBytes() == SMALL_BYTES);
  }

  @Test
  void refusesAServerThatWouldRefuseWrites() throws Exception {
    start("noeviction");

    assertThatThrownBy(() -> tier.resize(SMALL_BYTES))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(tier::status)
        .hasMessageContaining("maxmemory-policy noeviction")
        .hasMessageContaining("allkeys-lru");
  }

  private static long timed(RedisData data, int key) {
    long beginNanos = System.nanoTime();
    var unused = data.read(key);
    return System.nanoTime() - beginNanos;
  }

  private static double percentile(long[] nanos, int count) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return count == 0 ? 0 : sorted[Math.min(count - 1, count * 99 / 100)] / 1e6;
  }
}
