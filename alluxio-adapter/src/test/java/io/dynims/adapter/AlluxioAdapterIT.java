package io.dynims.adapter;

import static io.dynims.adapter.AlluxioFixture.FILE_BYTES;
import static io.dynims.adapter.AlluxioFixture.MAX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.testing.Seeds;
import io.dynims.core.wire.Unpersisted;
import io.dynims.tier.TierContract;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract, and resizes under load, with a stock Alluxio worker. */
class AlluxioAdapterIT extends TierContract {

  @AutoClose private static AlluxioFixture alluxio;

  private ElasticTier tier;

  @BeforeAll
  static void startAlluxio() throws Exception {
    alluxio = AlluxioFixture.start();
    alluxio.awaitWritable();
  }

  @Override
  protected TierStore store() throws Exception {
    if (tier == null) {
      tier = alluxio.startTier();
    }
    return tier;
  }

  @Override
  protected void fill() throws Exception {
    alluxio.fill();
  }

  @AfterEach
  void releaseEverything() throws Exception {
    if (tier != null) {
      tier.close();
    }
    alluxio.clear();
  }

  @Test
  void closingLeavesNoReservationBehind() throws Exception {
    tier.resize(MAX / 3 + 7);
    assertThat(alluxio.temporaryBlocks()).isNotEmpty();

    tier.close();

    assertThat(alluxio.temporaryBlocks()).isEmpty();
    alluxio.assertThatTheWholeTierCanBeFilled();
  }

  @Test
  void growingAFullTierBySmallStepsEvictsNextToNothing() throws Exception {
    tier.resize(MAX / 2 + 5);
    fill();
    long usedBytes = alluxio.usedBytes();
    assertThat(usedBytes).isGreaterThan(MAX / 2 - 2 * FILE_BYTES);

    for (int step = 1; step <= 50; step++) {
      long desired = MAX / 2 + 5 + step * 77_777L;
      assertThat(tier.resize(desired).capacityBytes()).isEqualTo(desired);
    }

    // If the worker is preempted between unlinking a block and counting its space as free, it
    // evicts one more block for the next reservation. If every step did so, nothing would be left.
    assertThat(alluxio.usedBytes()).isGreaterThanOrEqualTo(usedBytes - 2 * FILE_BYTES);
  }

  @Test
  void readsAreCorrectDuringRandomResizes() {
    Seeds.run(this::readsAreCorrectDuringRandomResizes);
  }

  private void readsAreCorrectDuringRandomResizes(long seed) throws Exception {
    Random random = new Random(seed);
    alluxio.files.write(2 * (int) (MAX / FILE_BYTES), FILE_BYTES);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int reader = 0; reader < 2; reader++) {
      Random choice = new Random(seed + reader);
      readers.add(CompletableFuture.runAsync(() -> readUntil(done, choice, reads)));
    }

    try {
      for (int resize = 0; resize < 200; resize++) {
        long desired = (long) (random.nextDouble() * MAX);
        // Blocks being read cannot be evicted; the next request continues.
        await()
            .pollInterval(Duration.ofMillis(1))
            .until(() -> tier.resize(desired).capacityBytes() == desired);
      }
      await().until(() -> reads.get() > 20 || readers.get(0).isDone());
    } finally {
      done.set(true);
    }
    readers.forEach(CompletableFuture::join); // Fails if any read was wrong.
  }

  @Test
  void pinnedDataStaysAsUnevictableUntilItIsUnpinned() throws Exception {
    alluxio.files.write(16, FILE_BYTES);
    alluxio.files.pinAll(true);
    long pinnedBytes = 16L * FILE_BYTES;
    await()
        .untilAsserted(
            () -> { // Retries: until the worker learns about the pins, it evicts.
              tier.resize(MAX);
              alluxio.files.readAndCheckAll();
              TierStatus status = tier.resize(pinnedBytes / 2);
              long excessBytes = status.capacityBytes() - pinnedBytes / 2;
              assertThat(status.capacityBytes()).isBetween(pinnedBytes, pinnedBytes + (1 << 20));
              assertThat(status.unevictableBytes()).isEqualTo(excessBytes);
              assertThat(alluxio.usedBytes()).isEqualTo(pinnedBytes);
            });
    alluxio.files.readAndCheckAll();

    alluxio.files.pinAll(false);
    await()
        .untilAsserted(() -> assertThat(tier.status().capacityBytes()).isEqualTo(pinnedBytes / 2));
    assertThat(alluxio.usedBytes()).isLessThanOrEqualTo(pinnedBytes / 2);
  }

  @Test
  void theHitRatioIsTheShareOfTheReadsThatTheTierServed() throws Exception {
    alluxio.files.write(1, FILE_BYTES);
    tier.setUnpersisted(Unpersisted.Evict); // Opens no holds, which the worker counts as reads.
    await().until(() -> tier.resize(0).usedBytes() == 0);
    tier.resize(MAX);
    WorkerReads reads =
        new WorkerReads(Optional.of(alluxio.cluster.workerMetrics()), () -> 0, () -> 0);
    await().until(reads::poll);

    alluxio.files.readAndCheckAll(); // From the under store; the worker keeps the block.
    await()
        .untilAsserted(
            () -> {
              assertThat(alluxio.usedBytes()).isEqualTo(FILE_BYTES);
              assertThat(reads.poll()).isTrue();
              assertThat(reads.hitRatio()).isZero();
            });
    alluxio.files.readAndCheckAll(); // From the tier.
    await()
        .untilAsserted(
            () -> {
              assertThat(reads.poll()).isTrue();
              assertThat(reads.hitRatio()).isEqualTo(0.5);
            });
    await()
        .untilAsserted(
            () -> {
              alluxio.files.readAndCheckAll();
              assertThat(tier.status().hitRatio()).isBetween(0.5, 1.0);
            });
  }

  private void readUntil(AtomicBoolean done, Random random, AtomicInteger reads) {
    while (!done.get()) {
      alluxio.files.readAndCheckOne(random);
      reads.incrementAndGet();
    }
  }
}
