package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.node.NodeMemory;
import io.dynims.core.wire.AckStatus;
import io.dynims.testing.AlluxioCluster;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierContract;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a stock Alluxio master and worker, processes of their own. */
class AlluxioAdapterIT extends TierContract {

  private static final long MAX = 256L << 20;
  private static final int FILE_BYTES = 4 << 20;
  private static final Duration SOON = Duration.ofSeconds(30);

  private static AlluxioCluster cluster;
  private static TestFiles files;

  @TempDir Path temporary;
  private final Map<Process, URI> addresses = new HashMap<>();
  private ElasticTier tier;

  @BeforeAll
  static void startAlluxio() throws Exception {
    cluster = AlluxioCluster.start(MAX);
    AlluxioClient.configure(Optional.of(cluster.masterAddress()));
    files = new TestFiles();
  }

  @AfterAll
  static void endAlluxio() {
    cluster.close();
  }

  @Override
  protected TierStore store() throws Exception {
    if (tier == null) {
      tier = new ElasticTier(settings(Optional.empty()), new NodeMemory(Path.of("/")));
      tier.start();
    }
    return tier;
  }

  @Override
  protected void fill() throws Exception {
    files.write((int) (MAX / FILE_BYTES), FILE_BYTES);
  }

  @AfterEach
  void giveEverythingBack() throws Exception {
    tier.close();
    files.deleteAll();
    await().atMost(SOON).until(() -> blocks().isEmpty());
  }

  @Test
  void closingLeavesNoReservationBehind() throws Exception {
    tier.resize(MAX / 3 + 7);
    assertThat(temporaryBlocks()).isNotEmpty();

    tier.close();

    assertThat(temporaryBlocks()).isEmpty();
    assertTheWholeTierCanBeFilled();
  }

  @Test
  void growingAFullTierBySmallStepsEvictsNextToNothing() throws Exception {
    tier.resize(MAX / 2 + 5);
    fill();
    long usedBytes = usedBytes();
    assertThat(usedBytes).isGreaterThan(MAX / 2 - 2 * FILE_BYTES);

    for (int step = 1; step <= 50; step++) {
      long wanted = MAX / 2 + 5 + step * 77_777L;
      assertThat(tier.resize(wanted).capacityBytes()).isEqualTo(wanted);
    }

    // A worker that is kept from running between unlinking a block and taking its space back evicts
    // one more for the next reservation. Had each of the steps done so, nothing would be left.
    assertThat(usedBytes()).isGreaterThanOrEqualTo(usedBytes - 2 * FILE_BYTES);
  }

  @Test
  void readsAreRightWhileTheTierIsResizedAtRandom() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    files.write(2 * (int) (MAX / FILE_BYTES), FILE_BYTES);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int reader = 0; reader < 2; reader++) {
      Random files = new Random(seed + reader);
      readers.add(CompletableFuture.runAsync(() -> readUntil(done, files, reads)));
    }

    try {
      for (int resize = 0; resize < 200; resize++) {
        long wanted = (long) (random.nextDouble() * MAX);
        // What is being read is not evicted; the next request goes on.
        await()
            .pollInterval(Duration.ofMillis(1))
            .atMost(SOON)
            .until(() -> tier.resize(wanted).capacityBytes() == wanted);
      }
      await().atMost(SOON).until(() -> reads.get() > 20 || readers.get(0).isDone());
    } finally {
      done.set(true);
    }
    readers.forEach(CompletableFuture::join); // Fails if any read was wrong.
  }

  @Test
  void pinnedDataStaysAndIsToldAndGoesOnceItIsNoLongerPinned() throws Exception {
    files.write(16, FILE_BYTES);
    files.pinAll(true);
    long pinnedBytes = 16L * FILE_BYTES;
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> { // Again while the worker has not learned of the pins yet, and evicts.
              tier.resize(MAX);
              files.readAllRight();
              TierStatus status = tier.resize(pinnedBytes / 2);
              long tooMuchBytes = status.capacityBytes() - pinnedBytes / 2;
              assertThat(status.capacityBytes()).isBetween(pinnedBytes, pinnedBytes + (1 << 20));
              assertThat(status.unevictableBytes()).isEqualTo(tooMuchBytes);
              assertThat(usedBytes()).isEqualTo(pinnedBytes);
            });
    files.readAllRight();

    files.pinAll(false);
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(tier.status().capacityBytes()).isEqualTo(pinnedBytes / 2));
    assertThat(usedBytes()).isLessThanOrEqualTo(pinnedBytes / 2);
  }

  @Test
  void aRestartedWorkerHasTheLastCapacityAgain() throws Exception {
    tier.resize(MAX / 2 + 1);

    cluster.killWorker();
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThatThrownBy(tier::status)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("away"));
    assertThatThrownBy(() -> tier.resize(MAX / 4)).isInstanceOf(StoreUnavailableException.class);

    long startMillis = System.currentTimeMillis();
    cluster.startWorker();
    long servingMillis = System.currentTimeMillis();
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(SOON)
        .ignoreException(StoreUnavailableException.class)
        .until(() -> tier.status().capacityBytes() == MAX / 2 + 1);
    assertThat(tier.connects.get()).isGreaterThan(1);
    System.out.printf(
        "worker restarted in %d ms; its capacity was in force again %d ms after it listened%n",
        servingMillis - startMillis, System.currentTimeMillis() - servingMillis);
  }

  @Test
  void aKilledAdapterLeavesTheWorkerAtFullCapacityAndTheNextOneTakesUpWhereItEnded()
      throws Exception {
    tier.close();
    Path state = temporary.resolve("state");
    Process first = launch(state);
    try {
      await().atMost(SOON).until(() -> resize(first, MAX / 4 + 3).status() == AckStatus.Applied);
      await().atMost(SOON).until(() -> Files.exists(state));
    } finally {
      first.destroyForcibly().waitFor();
    }
    await().atMost(SOON).until(() -> temporaryBlocks().isEmpty());
    assertTheWholeTierCanBeFilled();

    Process second = launch(state);
    try {
      TierStatus status = new TierClient(address(second)).get().tier();
      assertThat(status.capacityBytes()).isEqualTo(MAX / 4 + 3);
      assertThat(metrics(second))
          .contains("dynims_adapter_max_bytes{tier=\"alluxio\"} " + (double) MAX)
          .contains("dynims_adapter_worker_up{tier=\"alluxio\"} 1.0")
          .contains("dynims_adapter_worker_connects_total{tier=\"alluxio\"} 1.0");
      assertThat(usedBytes()).isLessThanOrEqualTo(MAX / 4 + 3);
    } finally {
      second.destroy(); // SIGTERM
      second.waitFor();
    }
    assertThat(temporaryBlocks()).isEmpty();
  }

  private void assertTheWholeTierCanBeFilled() throws Exception {
    fill();
    assertThat(usedBytes()).isEqualTo(MAX);
  }

  private void readUntil(AtomicBoolean done, Random random, AtomicInteger reads) {
    while (!done.get()) {
      files.readOneRight(random);
      reads.incrementAndGet();
    }
  }

  private Settings settings(Optional<Path> state) {
    return new Settings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        "alluxio",
        cluster.workerAddress(),
        Optional.of(cluster.masterAddress()),
        "MEM",
        cluster.tierDirectory(),
        Optional.empty(),
        0,
        32L << 20,
        4_000_000_000L, // A busy machine must not turn exact answers into partial ones.
        Optional.empty(),
        state,
        OptionalLong.empty());
  }

  /** The program as it is deployed. */
  private Process launch(Path state) throws IOException {
    Path log = temporary.resolve("adapter-" + System.nanoTime() + ".log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                System.getProperty("dynims.adapter.jar"),
                "--http.address=127.0.0.1:0",
                "--worker.address=127.0.0.1:" + cluster.workerAddress().getPort(),
                "--master.address=127.0.0.1:" + cluster.masterAddress().getPort(),
                "--tier.directory=" + cluster.tierDirectory(),
                "--state.file=" + state,
                "--resize.budget=4s")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    await().atMost(SOON).until(() -> Files.readString(log).contains("Tier API of"));
    addresses.put(
        process,
        URI.create(
            Files.readString(log)
                .lines()
                .filter(line -> line.contains("Tier API of"))
                .findFirst()
                .orElseThrow()
                .replaceAll(".*(http://[0-9.:]+)/.*", "$1")));
    return process;
  }

  private URI address(Process process) {
    return addresses.get(process);
  }

  private TierReply resize(Process process, long bytes) throws InterruptedException {
    return new TierClient(address(process)).put(new TierRequest(bytes, 1, 60_000));
  }

  private String metrics(Process process) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address(process).resolve("/metrics")).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static long usedBytes() throws IOException {
    return new TierDirectory(cluster.tierDirectory(), System::nanoTime).usedBytes();
  }

  private static List<Path> blocks() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        cluster.tierDirectory(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // The worker has just removed it.
            }
            throw e;
          }
        });
    return files;
  }

  private static List<Path> temporaryBlocks() throws IOException {
    return blocks().stream().filter(path -> path.toString().contains(".tmp_blocks")).toList();
  }
}
