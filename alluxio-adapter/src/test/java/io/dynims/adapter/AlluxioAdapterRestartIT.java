package io.dynims.adapter;

import static io.dynims.adapter.AlluxioFixture.MAX;
import static io.dynims.adapter.AlluxioFixture.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.AckStatus;
import io.dynims.local.FreePorts;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts of the worker, and of the adapter as it is deployed. */
class AlluxioAdapterRestartIT {

  @AutoClose private static AlluxioFixture alluxio;

  private static final Duration POLL = Duration.ofMillis(20);

  @TempDir private Path temporary;

  @BeforeAll
  static void startAlluxio() throws Exception {
    alluxio = AlluxioFixture.start();
  }

  @BeforeEach
  void awaitWritable() {
    alluxio.awaitWritable();
  }

  @AfterEach
  void deleteFiles() throws Exception {
    alluxio.clear();
  }

  @Test
  void aRestartedWorkerHasTheLastCapacityAgain() throws Exception {
    try (ElasticTier tier = alluxio.startTier()) {
      tier.resize(MAX / 2 + 1);

      alluxio.cluster.killWorker();
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(tier::status)
                      .isInstanceOf(StoreUnavailableException.class)
                      .hasMessageContaining("unavailable"));
      assertThatThrownBy(() -> tier.resize(MAX / 4)).isInstanceOf(StoreUnavailableException.class);

      long startMillis = System.currentTimeMillis();
      alluxio.cluster.startWorker();
      long servingMillis = System.currentTimeMillis();
      await()
          .pollInterval(Duration.ofMillis(10))
          .ignoreException(StoreUnavailableException.class)
          .until(() -> tier.status().capacityBytes() == MAX / 2 + 1);
      assertThat(tier.connectCount()).isGreaterThan(1);
      System.out.printf(
          "worker restarted in %d ms; its capacity was in force again %d ms after it listened%n",
          servingMillis - startMillis, System.currentTimeMillis() - servingMillis);
    }
  }

  @Test
  void aKilledAdapterLeavesFullCapacityAndItsSuccessorRestoresTheLastOne() throws Exception {
    Path state = temporary.resolve("state");
    AdapterProcess first = launch(state);
    try {
      await().until(() -> first.resize(MAX / 4 + 3).status() == AckStatus.Applied);
      awaitSavedCapacity(state);
    } finally {
      first.kill();
    }
    await().until(() -> alluxio.temporaryBlocks().isEmpty());
    alluxio.assertThatTheWholeTierCanBeFilled();

    AdapterProcess second = launch(state);
    try {
      TierStatus status = second.get().tier();
      assertThat(status.capacityBytes()).isEqualTo(MAX / 4 + 3);
      assertThat(second.metrics())
          .contains("dynims_adapter_max_bytes{tier=\"alluxio\"} " + (double) MAX)
          .contains("dynims_adapter_worker_up{tier=\"alluxio\"} 1.0")
          .contains("dynims_adapter_worker_connects_total{tier=\"alluxio\"} 1.0");
      assertThat(alluxio.usedBytes()).isLessThanOrEqualTo(MAX / 4 + 3);
    } finally {
      second.close(); // SIGTERM
    }
    assertThat(alluxio.temporaryBlocks()).isEmpty();
  }

  @Test
  void aWorkerThatHangsIsUnavailableUntilItGoesOn() throws Exception {
    AdapterProcess adapter = launch(temporary.resolve("state"));
    try {
      await().until(() -> adapter.resize(MAX / 2 + 9).status() == AckStatus.Applied);

      alluxio.cluster.pauseWorker();
      long pausedNanos = System.nanoTime();
      await().pollInterval(POLL).until(() -> adapter.ready() == 503);
      long noticedNanos = System.nanoTime();
      TierReply refused = adapter.resize(MAX / 4);
      assertThat(refused.status()).isEqualTo(AckStatus.Failed);
      assertThat(refused.message()).contains("503", "hangs");

      alluxio.cluster.resumeWorker();
      long resumedNanos = System.nanoTime();
      await().pollInterval(POLL).until(() -> adapter.ready() == 200);
      assertThat(adapter.get().tier().capacityBytes()).isEqualTo(MAX / 2 + 9);
      System.out.printf(
          "a hang was noticed after %d ms; the capacity was in force again after %d ms%n",
          (noticedNanos - pausedNanos) / 1_000_000, (System.nanoTime() - resumedNanos) / 1_000_000);
      assertThat(adapter.resize(MAX / 4).status()).isEqualTo(AckStatus.Applied);
    } finally {
      alluxio.cluster.resumeWorker();
      adapter.close();
    }
  }

  @Test
  void aResizeThatIsPendingOnAHangingWorkerFailsInTheEnd() throws Exception {
    AdapterProcess adapter = launch(temporary.resolve("state"), "--resize.budget=200ms");
    try {
      await().until(() -> adapter.resize(MAX / 2).status() == AckStatus.Applied);

      alluxio.cluster.pauseWorker();
      await().pollInterval(POLL).until(() -> adapter.resize(MAX / 8).status() == AckStatus.Failed);

      alluxio.cluster.resumeWorker();
      await().pollInterval(POLL).until(() -> adapter.resize(MAX / 8).status() == AckStatus.Applied);
    } finally {
      alluxio.cluster.resumeWorker();
      adapter.close();
    }
  }

  @Test
  void aMaximumBelowTheWorkersQuotaIsTheLargestCapacityInForce() throws Exception {
    try (ElasticTier tier = alluxio.startTier(Optional.of(MAX / 2))) {
      await().untilAsserted(() -> assertThat(tier.status().capacityBytes()).isEqualTo(MAX / 2));
      assertThat(tier.status().maxBytes()).isEqualTo(MAX / 2);

      alluxio.fill();

      assertThat(alluxio.usedBytes()).isLessThanOrEqualTo(tier.status().capacityBytes());
      assertThat(tier.resize(MAX / 4).reservedBytes()).isEqualTo(MAX - MAX / 4);
      assertThat(tier.resize(MAX).capacityBytes()).isEqualTo(MAX / 2);
    }
  }

  @Test
  void aMaximumAboveTheWorkersQuotaIsTheQuota() throws Exception {
    try (ElasticTier tier = alluxio.startTier(Optional.of(2 * MAX))) {
      await().untilAsserted(() -> assertThat(tier.status().maxBytes()).isEqualTo(MAX));
      assertThat(tier.status().capacityBytes()).isEqualTo(MAX);
      assertThat(tier.resize(MAX / 4).reservedBytes()).isEqualTo(MAX - MAX / 4);
    }
  }

  @Test
  void withoutAMasterARestartedAdapterReservesWhatItsStateFileSays() throws Exception {
    Path state = temporary.resolve("state");
    AdapterProcess first = launch(state);
    try {
      await().until(() -> first.resize(MAX / 4 + 3).status() == AckStatus.Applied);
      awaitSavedCapacity(state);
    } finally {
      first.kill();
    }

    AdapterProcess second = launch(state, "--master.address=127.0.0.1:" + FreePorts.next());
    try {
      await()
          .untilAsserted(
              () -> {
                TierStatus status = second.get().tier();
                assertThat(status).isNotNull();
                assertThat(status.capacityBytes()).isEqualTo(MAX / 4 + 3);
                assertThat(status.maxBytes()).isEqualTo(MAX);
              });
    } finally {
      second.close();
    }
  }

  @Test
  void aSecondAdapterWithTheSameStateFileRefusesToStart() throws Exception {
    Path state = temporary.resolve("state");
    AdapterProcess first = launch(state);
    try {
      Path log = temporary.resolve("second.log");
      Process second = AdapterProcess.start(List.of(), arguments(state), log);
      assertThat(second.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(second.exitValue()).isEqualTo(1);
      assertThat(Files.readString(log)).contains("another adapter uses the state file " + state);
    } finally {
      first.close();
    }
    AdapterProcess third = launch(state);
    third.close();
  }

  private AdapterProcess launch(Path state, String... more) throws IOException {
    return AdapterProcess.launch(List.of(), arguments(state, more), temporary);
  }

  private static List<String> arguments(Path state, String... more) {
    List<String> arguments = alluxio.adapterArguments();
    arguments.add("--tier.directory=" + alluxio.cluster.tierDirectory());
    arguments.add("--state.file=" + state);
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static void awaitSavedCapacity(Path state) {
    Path capacity = state.resolveSibling(state.getFileName() + ".capacity");
    await().until(() -> Files.exists(capacity));
  }
}
