package io.dynims.adapter;

import static io.dynims.adapter.AlluxioFixture.MAX;
import static io.dynims.adapter.AlluxioFixture.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.config.FreePorts;
import io.dynims.core.wire.AckStatus;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

  /** The adapter's process and the address of its Tier API. */
  private record Adapter(Process process, URI uri) {}

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
          .atMost(SOON)
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
          .atMost(SOON)
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
    Adapter first = launch(state);
    try {
      await().atMost(SOON).until(() -> resize(first, MAX / 4 + 3).status() == AckStatus.Applied);
      awaitSavedCapacity(state);
    } finally {
      first.process().destroyForcibly().waitFor();
    }
    await().atMost(SOON).until(() -> alluxio.temporaryBlocks().isEmpty());
    alluxio.assertThatTheWholeTierCanBeFilled();

    Adapter second = launch(state);
    try {
      TierStatus status = new TierClient(second.uri()).get().tier();
      assertThat(status.capacityBytes()).isEqualTo(MAX / 4 + 3);
      assertThat(metrics(second))
          .contains("dynims_adapter_max_bytes{tier=\"alluxio\"} " + (double) MAX)
          .contains("dynims_adapter_worker_up{tier=\"alluxio\"} 1.0")
          .contains("dynims_adapter_worker_connects_total{tier=\"alluxio\"} 1.0");
      assertThat(alluxio.usedBytes()).isLessThanOrEqualTo(MAX / 4 + 3);
    } finally {
      second.process().destroy(); // SIGTERM
      second.process().waitFor();
    }
    assertThat(alluxio.temporaryBlocks()).isEmpty();
  }

  @Test
  void aWorkerThatHangsIsUnavailableUntilItGoesOn() throws Exception {
    Adapter adapter = launch(temporary.resolve("state"));
    try {
      await().atMost(SOON).until(() -> resize(adapter, MAX / 2 + 9).status() == AckStatus.Applied);

      alluxio.cluster.pauseWorker();
      long pausedNanos = System.nanoTime();
      await().pollInterval(POLL).atMost(SOON).until(() -> ready(adapter) == 503);
      long noticedNanos = System.nanoTime();
      TierReply refused = resize(adapter, MAX / 4);
      assertThat(refused.status()).isEqualTo(AckStatus.Failed);
      assertThat(refused.message()).contains("503", "hangs");

      alluxio.cluster.resumeWorker();
      long resumedNanos = System.nanoTime();
      await().pollInterval(POLL).atMost(SOON).until(() -> ready(adapter) == 200);
      assertThat(new TierClient(adapter.uri()).get().tier().capacityBytes()).isEqualTo(MAX / 2 + 9);
      System.out.printf(
          "a hang was noticed after %d ms; the capacity was in force again after %d ms%n",
          (noticedNanos - pausedNanos) / 1_000_000, (System.nanoTime() - resumedNanos) / 1_000_000);
      assertThat(resize(adapter, MAX / 4).status()).isEqualTo(AckStatus.Applied);
    } finally {
      alluxio.cluster.resumeWorker();
      adapter.process().destroy();
      adapter.process().waitFor();
    }
  }

  @Test
  void aResizeThatIsPendingOnAHangingWorkerFailsInTheEnd() throws Exception {
    Adapter adapter = launch(temporary.resolve("state"), "--resize.budget=200ms");
    try {
      await().atMost(SOON).until(() -> resize(adapter, MAX / 2).status() == AckStatus.Applied);

      alluxio.cluster.pauseWorker();
      await()
          .atMost(SOON)
          .pollInterval(POLL)
          .until(() -> resize(adapter, MAX / 8).status() == AckStatus.Failed);

      alluxio.cluster.resumeWorker();
      await()
          .atMost(SOON)
          .pollInterval(POLL)
          .until(() -> resize(adapter, MAX / 8).status() == AckStatus.Applied);
    } finally {
      alluxio.cluster.resumeWorker();
      adapter.process().destroy();
      adapter.process().waitFor();
    }
  }

  @Test
  void aMaximumBelowTheWorkersQuotaIsTheLargestCapacityInForce() throws Exception {
    try (ElasticTier tier = alluxio.startTier(Optional.of(MAX / 2))) {
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(tier.status().capacityBytes()).isEqualTo(MAX / 2));
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
      await().atMost(SOON).untilAsserted(() -> assertThat(tier.status().maxBytes()).isEqualTo(MAX));
      assertThat(tier.status().capacityBytes()).isEqualTo(MAX);
      assertThat(tier.resize(MAX / 4).reservedBytes()).isEqualTo(MAX - MAX / 4);
    }
  }

  @Test
  void withoutAMasterARestartedAdapterReservesWhatItsStateFileSays() throws Exception {
    Path state = temporary.resolve("state");
    Adapter first = launch(state);
    try {
      await().atMost(SOON).until(() -> resize(first, MAX / 4 + 3).status() == AckStatus.Applied);
      awaitSavedCapacity(state);
    } finally {
      first.process().destroyForcibly().waitFor();
    }

    Adapter second = launch(state, "--master.address=127.0.0.1:" + FreePorts.next());
    try {
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                TierStatus status = new TierClient(second.uri()).get().tier();
                assertThat(status).isNotNull();
                assertThat(status.capacityBytes()).isEqualTo(MAX / 4 + 3);
                assertThat(status.maxBytes()).isEqualTo(MAX);
              });
    } finally {
      second.process().destroy();
      second.process().waitFor();
    }
  }

  @Test
  void aSecondAdapterWithTheSameStateFileRefusesToStart() throws Exception {
    Path state = temporary.resolve("state");
    Adapter first = launch(state);
    try {
      Path log = temporary.resolve("second.log");
      Process second = start(state, log);
      assertThat(second.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(second.exitValue()).isEqualTo(1);
      assertThat(Files.readString(log)).contains("another adapter uses the state file " + state);
    } finally {
      first.process().destroy();
      first.process().waitFor();
    }
    Adapter third = launch(state);
    third.process().destroy();
    third.process().waitFor();
  }

  /** Starts the program as it is deployed, and waits until it serves. */
  private Adapter launch(Path state, String... more) throws IOException {
    Path log = temporary.resolve("adapter-" + System.nanoTime() + ".log");
    Process process = start(state, log, more);
    await().atMost(SOON).until(() -> Files.readString(log).contains("Tier API of"));
    String serving =
        Files.readString(log)
            .lines()
            .filter(line -> line.contains("Tier API of"))
            .findFirst()
            .orElseThrow();
    return new Adapter(process, URI.create(serving.replaceAll(".*(http://[0-9.:]+)/.*", "$1")));
  }

  private static Process start(Path state, Path log, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                System.getProperty("dynims.adapter.jar"),
                "--http.address=127.0.0.1:0",
                "--http.token.file=none",
                "--worker.address=127.0.0.1:" + alluxio.cluster.workerAddress().getPort(),
                "--worker.metrics.url=" + alluxio.cluster.workerMetrics(),
                "--master.address=127.0.0.1:" + alluxio.cluster.masterAddress().getPort(),
                "--tier.directory=" + alluxio.cluster.tierDirectory(),
                "--state.file=" + state,
                "--resize.budget=4s"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static void awaitSavedCapacity(Path state) {
    await()
        .atMost(SOON)
        .until(() -> Files.exists(state) && Files.readString(state).contains("capacityBytes"));
  }

  private static TierReply resize(Adapter adapter, long bytes) throws InterruptedException {
    return new TierClient(adapter.uri()).put(new TierRequest(bytes, 1, 60_000));
  }

  private static int ready(Adapter adapter) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(adapter.uri().resolve("/readyz")).build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static String metrics(Adapter adapter) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(adapter.uri().resolve("/metrics")).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
