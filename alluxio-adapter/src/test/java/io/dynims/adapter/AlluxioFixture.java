package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import alluxio.conf.Configuration;
import alluxio.conf.PropertyKey;
import alluxio.conf.Source;
import io.dynims.core.wire.Unpersisted;
import io.dynims.testing.AlluxioCluster;
import io.dynims.tier.StateFile;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A stock Alluxio master and worker, processes of their own, with files in the worker's tier. */
final class AlluxioFixture implements AutoCloseable {

  static final long MAX = 256L << 20;
  static final int FILE_BYTES = 4 << 20;
  static final Duration SOON = Duration.ofSeconds(60);

  final AlluxioCluster cluster;
  final TestFiles files;

  private AlluxioFixture(AlluxioCluster cluster, TestFiles files) {
    this.cluster = cluster;
    this.files = files;
  }

  static AlluxioFixture start() throws Exception {
    return start(AlluxioCluster.start(MAX));
  }

  static AlluxioFixture start(AlluxioCluster cluster) {
    AlluxioClient.configure(List.of(cluster.masterAddress()));
    // The default is two minutes, in which a client would not see that the worker is registered.
    Configuration.set(PropertyKey.USER_WORKER_LIST_REFRESH_INTERVAL, "1s", Source.RUNTIME);
    return new AlluxioFixture(cluster, new TestFiles());
  }

  /**
   * Waits until the worker caches what is written. A worker that has just started already answers,
   * but the master is still in safe mode, or clients silently write past the worker.
   */
  void awaitWritable() {
    await()
        .ignoreExceptions()
        .until(
            () -> {
              files.write(1, 1);
              boolean cached = usedBytes() > 0;
              clear();
              return cached;
            });
  }

  /** A running tier of this worker. */
  ElasticTier startTier() throws InterruptedException {
    return startTier(Optional.empty());
  }

  /** A running tier of this worker with a setting {@code tier.max}. */
  ElasticTier startTier(Optional<Long> maxBytes) throws InterruptedException {
    Path directory = cluster.tierDirectory();
    return startTier(maxBytes, new WorkerFolder(directory, directory));
  }

  /** A running tier whose settings say that its blocks are in this folder. */
  ElasticTier startTier(Optional<Long> maxBytes, WorkerFolder folder) throws InterruptedException {
    ElasticTier tier =
        new ElasticTier(settings(maxBytes, folder), StateFile.open(Optional.empty()), null);
    tier.start();
    return tier;
  }

  /** How an adapter's process reaches this worker and master. */
  List<String> adapterArguments() {
    return new ArrayList<>(
        List.of(
            "--worker.address=127.0.0.1:" + cluster.workerAddress().getPort(),
            "--worker.metrics.url=" + cluster.workerMetrics(),
            "--master.address=127.0.0.1:" + cluster.masterAddress().getPort()));
  }

  /** Writes as many files as the tier can hold. */
  void fill() throws Exception {
    files.write((int) (MAX / FILE_BYTES), FILE_BYTES);
  }

  /**
   * Deletes all files and waits until the worker holds no block. A block that the worker cached
   * just while its file was deleted belongs to no file any more, and nobody tells the worker to
   * remove it; it is evicted.
   */
  void clear() throws Exception {
    files.deleteAll();
    await()
        .untilAsserted(
            () -> {
              if (!blocks().isEmpty()) {
                evictAll();
              }
              assertThat(blocks()).isEmpty();
            });
  }

  private void evictAll() throws Exception {
    try (ElasticTier tier = startTier()) {
      tier.setUnpersisted(Unpersisted.Evict);
      tier.resize(0);
    }
  }

  void assertThatTheWholeTierCanBeFilled() throws Exception {
    fill();
    assertThat(usedBytes()).isEqualTo(MAX);
  }

  /** The sizes of all blocks; the file system may hold other tests' files as well. */
  long usedBytes() {
    try {
      return blocks().stream().map(Path::toFile).mapToLong(File::length).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files of reservations, and of blocks being written. */
  List<Path> temporaryBlocks() throws IOException {
    return blocks().stream().filter(path -> path.toString().contains(".tmp_blocks")).toList();
  }

  @Override
  public void close() throws IOException {
    files.close();
    cluster.close();
  }

  private List<Path> blocks() throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        cluster.tierDirectory(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(file);
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
    return found;
  }

  private Settings settings(Optional<Long> maxBytes, WorkerFolder folder) {
    return new Settings(
        "alluxio",
        cluster.workerAddress(),
        Optional.of(cluster.workerMetrics()),
        List.of(cluster.masterAddress()),
        "MEM",
        folder,
        "node-1",
        maxBytes,
        0,
        32L << 20,
        4_000_000_000L); // A busy machine must not turn exact answers into partial ones.
  }
}
