package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierContract;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
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

/**
 * What every {@link LimitedStore} has to do on a real server, besides the contract of the Tier API.
 */
public abstract class LimitedStoreContract extends TierContract {

  private static final long MEBIBYTE = 1L << 20;
  private static final long MIN_BYTES = 8 * MEBIBYTE;
  private static final long MAX_BYTES = 64 * MEBIBYTE;
  private static final long LARGE_BYTES = 512 * MEBIBYTE;
  private static final long SMALL_BYTES = 128 * MEBIBYTE;

  /** The server itself, its table of keys, and pages that are not quite full. */
  private static final long OVERHEAD_BYTES = 64 * MEBIBYTE;

  private static final int READS_AT_REST = 2_000;

  /** The long form has a million. */
  private static final long CHECKED_READS = Long.getLong("dynims.checkedReads", 20_000);

  private ServerProcess server;
  private LimitedTier tier;

  /** Starts a server with a limit. */
  protected abstract ServerProcess server(long limitBytes) throws Exception;

  /** The store on a server. */
  protected abstract LimitedStore store(ServerProcess on);

  /** A client of a server. */
  protected abstract CheckedValues values(ServerProcess of) throws Exception;

  /** Sets the limit of a server as somebody else would. */
  protected abstract void setLimit(ServerProcess of, long bytes) throws Exception;

  @Override
  protected final TierStore store() throws Exception {
    // A busy machine must not turn exact answers into partial ones.
    return start(server(MAX_BYTES), MIN_BYTES, MAX_BYTES, 4_000);
  }

  @Override
  protected final void fill() throws Exception {
    try (CheckedValues values = values(server)) {
      values.write(MAX_BYTES);
    }
  }

  /** A tier of a server, both of which are ended with the test. */
  protected final LimitedTier start(
      ServerProcess started, long minBytes, long maxBytes, long budgetMillis) throws Exception {
    stop();
    server = started;
    tier =
        new LimitedTier(
            new LimitedSettings(
                "store",
                new CapacityBounds(minBytes, maxBytes),
                TimeUnit.MILLISECONDS.toNanos(budgetMillis)),
            store(started),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
    return tier;
  }

  @AfterEach
  final void stop() throws Exception {
    if (tier != null) {
      tier.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private void startLarge() throws Exception {
    start(server(LARGE_BYTES), MIN_BYTES, LARGE_BYTES, 300);
  }

  @Test
  void givesMemoryBackWhileOthersReadAndReturnsNoWrongValue() throws Exception {
    startLarge();
    try (CheckedValues writer = values(server);
        CheckedValues reader = values(server)) {
      writer.write(LARGE_BYTES);
      // A server may look at its own memory a few times a second only.
      await().until(() -> tier.status().occupiedBytes() > LARGE_BYTES * 3 / 4);
      int keys = (int) (LARGE_BYTES / CheckedValues.VALUE_BYTES);
      SplittableRandom random = new SplittableRandom(1);
      long[] atRest = new long[READS_AT_REST];
      for (int i = 0; i < READS_AT_REST; i++) {
        atRest[i] = readNanos(reader, random.nextInt(keys));
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
                    meanwhile[count[0]++] = readNanos(reader, random.nextInt(keys));
                  }
                } catch (Exception | AssertionError e) {
                  failure.set(e);
                }
              });
      reading.start();
      long beginNanos = System.nanoTime();
      tier.resize(SMALL_BYTES);
      await()
          .atMost(Duration.ofMinutes(5))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(() -> tier.status().occupiedBytes() <= SMALL_BYTES + OVERHEAD_BYTES);
      double seconds = (System.nanoTime() - beginNanos) / 1e9;
      done.set(true);
      reading.join();

      assertThat(failure.get()).isNull();
      TierStatus status = await().until(tier::status, each -> each.capacityBytes() == SMALL_BYTES);
      System.out.printf(
          Locale.ROOT,
          "%s: 512 to 128 MiB resident in %.3f s; a reader's p99 %.2f ms at rest, %.2f ms meanwhile"
              + " (%d reads)%n",
          status.storeVersion(),
          seconds,
          p99Millis(atRest, READS_AT_REST),
          p99Millis(meanwhile, count[0]),
          count[0]);
    }
  }

  @Test
  void returnsNoWrongValueAndNoErrorWhileItsLimitSwings() throws Exception {
    startLarge();
    try (CheckedValues writer = values(server)) {
      writer.write(LARGE_BYTES);
    }
    int keys = (int) (LARGE_BYTES / CheckedValues.VALUE_BYTES);
    long beginNanos = System.nanoTime();
    CheckedReaders readers = new CheckedReaders(() -> values(server), keys, CHECKED_READS);
    int swings = 0;
    do {
      tier.resize(SMALL_BYTES);
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> tier.status().occupiedBytes() <= SMALL_BYTES + OVERHEAD_BYTES);
      tier.resize(LARGE_BYTES);
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> readers.isEnough() || tier.status().occupiedBytes() > LARGE_BYTES * 3 / 4);
      swings++;
    } while (!readers.isEnough());
    readers.end();

    System.out.printf(
        Locale.ROOT,
        "%s: %d checked reads in %.1f s while the limit swung %d times between 512 and 128 MiB:"
            + " %d misses, %d wrong, %s%n",
        tier.status().storeVersion(),
        readers.reads(),
        (System.nanoTime() - beginNanos) / 1e9,
        swings,
        readers.misses(),
        readers.wrong(),
        readers.error() == null ? "no error" : readers.error());
    assertThat(readers.error()).isNull();
    assertThat(readers.wrong()).isZero();
    assertThat(readers.reads()).isGreaterThanOrEqualTo(CHECKED_READS);
    assertThat(readers.misses()).isPositive();
  }

  @Test
  void growsAgainAndSetsItsLimitBackWhenSomebodyElseHasChangedIt() throws Exception {
    startLarge();
    tier.resize(SMALL_BYTES);
    assertThat(tier.resize(LARGE_BYTES).capacityBytes()).isEqualTo(LARGE_BYTES);

    setLimit(server, 99 * MEBIBYTE);

    await().until(() -> tier.status().capacityBytes() == LARGE_BYTES);
  }

  @Test
  void restoresTheLimitOfAServerThatWasKilled() throws Exception {
    startLarge();
    tier.resize(SMALL_BYTES);

    server.kill();
    await()
        .untilAsserted(
            () -> assertThatThrownBy(tier::status).isInstanceOf(StoreUnavailableException.class));
    server.start();

    await()
        .ignoreException(StoreUnavailableException.class)
        .until(() -> tier.status().capacityBytes() == SMALL_BYTES);
  }

  private static long readNanos(CheckedValues values, int key) throws Exception {
    long beginNanos = System.nanoTime();
    values.read(key);
    return System.nanoTime() - beginNanos;
  }

  private static double p99Millis(long[] nanos, int count) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return count == 0 ? 0 : sorted[count * 99 / 100] / 1e6;
  }
}
