package io.dynims.adapter;

import static io.dynims.adapter.AlluxioFixture.FILE_BYTES;
import static io.dynims.adapter.AlluxioFixture.MAX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import alluxio.grpc.WritePType;
import io.dynims.core.wire.Unpersisted;
import io.dynims.tier.TierStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data whose only copy is in the tier of a stock Alluxio worker. */
class UnpersistedDataIT {

  private static final int FILES = 5;
  private static final long BYTES = (long) FILES * FILE_BYTES;

  @AutoClose private static AlluxioFixture alluxio;

  private ElasticTier tier;
  private TestFiles only;

  @BeforeAll
  static void startAlluxio() throws Exception {
    alluxio = AlluxioFixture.start();
    alluxio.awaitWritable();
  }

  @BeforeEach
  void startTier() throws Exception {
    tier = alluxio.startTier();
    only = new TestFiles("only");
  }

  @AfterEach
  void clear() throws Exception {
    if (only != null) {
      tier.setUnpersisted(Unpersisted.Evict);
      only.deleteAll();
      only.close();
      tier.resize(MAX);
    }
    if (tier != null) {
      tier.close();
    }
    alluxio.clear();
  }

  @ParameterizedTest
  @EnumSource(
      value = WritePType.class,
      names = {"MUST_CACHE", "ASYNC_THROUGH"})
  void theOnlyCopySurvivesACapacityOfZeroUntilItIsPersisted(WritePType type) throws Exception {
    only.write(FILES, FILE_BYTES, type);
    alluxio.files.write(10, FILE_BYTES);

    awaitCapacity(0, BYTES);
    assertThat(tier.status().unpersistedBytes()).isEqualTo(BYTES);
    assertThat(tier.status().unevictableBytes()).isZero();
    only.readAndCheckAll();
    awaitCapacity(0, BYTES);

    only.persistAll(alluxio.cluster.underFileSystem());

    awaitCapacity(0, 0);
    assertThat(tier.status().unpersistedBytes()).isZero();
    assertThat(alluxio.usedBytes()).isZero();
    tier.resize(MAX);
    only.readAndCheckAll();
  }

  @Test
  void theOnlyCopyIsEvictedIfThePolicySaysSo() throws Exception {
    only.write(FILES, FILE_BYTES, WritePType.MUST_CACHE);
    awaitCapacity(0, BYTES);

    tier.setUnpersisted(Unpersisted.Evict);

    awaitCapacity(0, 0);
    await().until(() -> only.inAlluxio() == 0);
  }

  @Test
  void theOldestBlockOfAFullTierSurvivesASmallShrinkIfItIsTheOnlyCopy() throws Exception {
    only.write(1, FILE_BYTES, WritePType.MUST_CACHE);
    alluxio.files.write((int) (MAX / FILE_BYTES) - 1, FILE_BYTES);
    await()
        .untilAsserted(
            () -> assertThat(tier.status().unpersistedBytes()).isEqualTo((long) FILE_BYTES));
    alluxio.files.readAndCheckAll(); // The only copy is the one that was used longest ago.

    awaitCapacity(MAX - 3L * FILE_BYTES, MAX - 3L * FILE_BYTES);

    only.readAndCheckAll();
    assertThat(alluxio.usedBytes()).isLessThanOrEqualTo(MAX - 3L * FILE_BYTES);
  }

  @Test
  void deletedFilesGiveTheirSpaceBackSoon() throws Exception {
    only.write(FILES, FILE_BYTES, WritePType.MUST_CACHE);
    awaitCapacity(0, BYTES);
    long startNanos = System.nanoTime();

    only.deleteAll();

    await().until(() -> alluxio.usedBytes() == 0);
    System.out.printf(
        "deleted blocks were gone after %d ms%n", (System.nanoTime() - startNanos) / 1_000_000);
    awaitCapacity(0, 0);
  }

  @Test
  void theOnlyCopySurvivesARestartOfTheAdapterAndOfTheWorker() throws Exception {
    only.write(FILES, FILE_BYTES, WritePType.MUST_CACHE);
    awaitCapacity(0, BYTES);

    tier.close();
    tier = alluxio.startTier();
    awaitCapacity(0, BYTES);
    only.readAndCheckAll();

    alluxio.cluster.killWorker();
    alluxio.cluster.startWorker();
    await()
        .ignoreExceptions()
        .until(() -> tier.connectCount() == 2 && tier.status().capacityBytes() == BYTES);
    await()
        .ignoreExceptions() // Until clients learn from the master that the worker is back.
        .until(
            () -> {
              only.readAndCheckAll();
              return true;
            });
  }

  private void awaitCapacity(long desiredBytes, long expectedBytes) {
    await()
        .untilAsserted(
            () -> {
              TierStatus status = tier.resize(desiredBytes);
              assertThat(status.capacityBytes()).isEqualTo(expectedBytes);
            });
  }
}
