package io.dynims.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
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
class MemcachedAdapterIT {

  private static final long MEBIBYTE = 1L << 20;
  private static final long MAX_BYTES = 512 * MEBIBYTE;
  private static final long SMALL_BYTES = 128 * MEBIBYTE;

  /** The table of keys, and a page for each class that has ever had an item. */
  private static final long OVERHEAD_BYTES = 64 * MEBIBYTE;

  private static final int READS_AT_REST = 2_000;

  private MemcachedProcess memcached;
  private LimitedTier tier;

  private void start(String... options) throws Exception {
    memcached = new MemcachedProcess(options);
    MemcachedSettings settings = memcached.settings(16 * MEBIBYTE, MAX_BYTES);
    tier =
        new LimitedTier(
            "memcached",
            new MemcachedServer(settings),
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
    if (memcached != null) {
      memcached.close();
    }
  }

  @Test
  void givesMemoryBackWhileOthersReadAndReturnsNoWrongValue() throws Exception {
    start("-m", "512");
    try (MemcachedData writer = new MemcachedData(memcached.address());
        MemcachedData reader = new MemcachedData(memcached.address())) {
      writer.write(MAX_BYTES);
      assertThat(tier.status().occupiedBytes()).isGreaterThan(MAX_BYTES * 9 / 10);
      int keys = (int) (MAX_BYTES / MemcachedData.VALUE_BYTES);
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
                } catch (Exception | AssertionError e) {
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
          "memcached: 512 to 128 MiB resident in %.3f s; a reader's p99 %.2f ms at rest, %.2f ms"
              + " meanwhile (%d reads)%n",
          seconds,
          percentile(atRest, READS_AT_REST),
          percentile(meanwhile, count[0]),
          count[0]);
    }
  }

  @Test
  void growsAgainAndSetsItsLimitBackWhenSomebodyElseHasChangedIt() throws Exception {
    start("-m", "512");
    tier.resize(SMALL_BYTES);
    assertThat(tier.resize(MAX_BYTES).capacityBytes()).isEqualTo(MAX_BYTES);

    try (var other = new MemcachedConnection(memcached.address(), Optional.empty())) {
      assertThat(other.command("cache_memlimit 99")).isEqualTo("OK");
    }

    await().until(() -> tier.status().capacityBytes() == MAX_BYTES);
  }

  @Test
  void restoresTheLimitOfAServerThatWasKilled() throws Exception {
    start("-m", "512");
    tier.resize(SMALL_BYTES);

    memcached.kill();
    await()
        .untilAsserted(
            () -> assertThatThrownBy(tier::status).isInstanceOf(StoreUnavailableException.class));
    memcached.start();

    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreException(StoreUnavailableException.class)
        .until(() -> tier.status().capacityBytes() == SMALL_BYTES);
  }

  @Test
  void refusesAServerThatNeverGivesMemoryBack() throws Exception {
    start("-m", "512", "-o", "no_slab_reassign");

    assertThatThrownBy(tier::status)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("no_slab_reassign");
  }

  private static long timed(MemcachedData data, int key) throws java.io.IOException {
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
