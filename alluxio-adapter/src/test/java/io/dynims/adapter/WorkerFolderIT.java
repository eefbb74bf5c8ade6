package io.dynims.adapter;

import static io.dynims.adapter.AlluxioFixture.FILE_BYTES;
import static io.dynims.adapter.AlluxioFixture.MAX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import alluxio.grpc.WritePType;
import io.dynims.core.testing.Needs;
import io.dynims.core.wire.Unpersisted;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the adapter sees the folder of a stock Alluxio worker's tier, or does not see it. */
class WorkerFolderIT {

  private static final int FILES = 5;
  private static final long BYTES = (long) FILES * FILE_BYTES;

  @AutoClose private static AlluxioFixture alluxio;

  @TempDir private Path temporary;
  private ElasticTier tier;
  private TestFiles only;

  @BeforeAll
  static void startAlluxio() throws Exception {
    alluxio = AlluxioFixture.start();
    alluxio.awaitWritable();
  }

  @AfterEach
  void clear() throws Exception {
    if (only != null) {
      only.deleteAll();
      only.close();
    }
    if (tier != null) {
      tier.close();
    }
    alluxio.clear();
  }

  @Test
  void aTierThatTheAdapterSeesAtAnotherPathIsResizedAndMeasured() throws Exception {
    try (BindMount view = view()) {
      startTier(view.resolve("alluxioworker"));
      tier.setUnpersisted(Unpersisted.Evict);
      alluxio.fill();
      assertThat(tier.status().usedBytes()).isEqualTo(MAX);

      awaitCapacity(MAX / 2, MAX / 2);

      assertThat(alluxio.usedBytes()).isLessThanOrEqualTo(MAX / 2);
      await()
          .untilAsserted(
              () -> assertThat(tier.status().usedBytes()).isEqualTo(alluxio.usedBytes()));
      tier.close();
    }
  }

  @Test
  void aWorkerWithAnotherFolderIsNotConnected() throws Exception {
    Path other = Files.createDirectory(temporary.resolve("alluxioworker"));
    tier = alluxio.startTier(Optional.empty(), new WorkerFolder(other, other));

    assertThatThrownBy(tier::status)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContainingAll(
            alluxio.cluster.tierDirectory().toString(),
            "worker.directory is " + other,
            "tier.directory, now " + other);
    assertThatThrownBy(() -> tier.resize(0)).isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void aFolderThatDoesNotShowTheWorkersBlocksIsNotConnected() throws Exception {
    Path missing = temporary.resolve("none");
    startTier(missing);
    assertThatThrownBy(tier::status)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContainingAll(
            alluxio.cluster.tierDirectory().toString(), missing + " does not exist");

    Files.createDirectory(missing); // Another one of the same name.
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(tier::status)
                    .hasMessageContaining("a block that the worker has just made is not there"));
  }

  @Test
  void nothingIsEvictedWhileTheFolderIsGoneAndItIsResizedWhenItIsBack() throws Exception {
    try (BindMount view = view()) {
      startTier(view.resolve("alluxioworker"));
      writeOnlyCopies();
      alluxio.files.write(10, FILE_BYTES);
      await().untilAsserted(() -> assertThat(tier.status().unpersistedBytes()).isEqualTo(BYTES));
      long usedBytes = tier.status().usedBytes();
      assertThat(usedBytes).isEqualTo(15L * FILE_BYTES);

      view.hide();
      assertThat(tier.resize(0).capacityBytes()).isEqualTo(MAX);
      awaitUnknown(usedBytes);
      Files.createDirectory(view.resolve("alluxioworker")); // An empty one that was below it.
      assertThat(tier.resize(0).capacityBytes()).isEqualTo(MAX);
      TimeUnit.SECONDS.sleep(2);
      awaitUnknown(usedBytes);
      assertThat(alluxio.usedBytes()).isEqualTo(usedBytes);

      view.show();
      awaitCapacity(0, BYTES);
      assertThat(tier.status().unpersistedBytes()).isEqualTo(BYTES);
      only.readAndCheckAll();
      tier.close();
    }
  }

  @Test
  void anAdapterWithoutTheRightToReadIsNotConnectedUntilItHasIt() throws Exception {
    Needs.root("to run a process with fewer rights");
    writeOnlyCopies();
    Path folder = alluxio.cluster.tierDirectory();
    Set<PosixFilePermission> before = Files.getPosixFilePermissions(folder);
    Files.setPosixFilePermissions(folder, Set.of());
    List<String> arguments = alluxio.adapterArguments();
    arguments.add("--tier.directory=" + folder);
    try (AdapterProcess adapter =
        AdapterProcess.launch(
            List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"),
            arguments,
            temporary)) {
      TierReply reply = adapter.resize(0);
      assertThat(reply.message()).contains("503", "no permission to read " + folder);
      assertThat(adapter.ready()).isEqualTo(503);
      assertThat(adapter.log("ERROR")).hasSize(1).first().asString().contains("tier.directory");
      only.readAndCheckAll();

      Files.setPosixFilePermissions(folder, before);
      await().until(() -> adapter.ready() == 200);
      await().until(() -> adapter.resize(0).tier().capacityBytes() == BYTES);
      only.readAndCheckAll();
    } finally {
      Files.setPosixFilePermissions(folder, before);
    }
  }

  private void awaitUnknown(long usedBytes) {
    await()
        .untilAsserted(
            () -> {
              TierStatus status = tier.resize(0);
              assertThat(status.unpersistedBytes()).isNull();
              assertThat(status.capacityBytes()).isEqualTo(MAX);
              assertThat(status.usedBytes()).isEqualTo(usedBytes);
            });
  }

  /** Another path to the tier, as in another container. */
  private BindMount view() throws Exception {
    return new BindMount(alluxio.cluster.tierDirectory().getParent(), temporary.resolve("view"));
  }

  private void startTier(Path own) throws Exception {
    tier =
        alluxio.startTier(Optional.empty(), new WorkerFolder(alluxio.cluster.tierDirectory(), own));
  }

  private void writeOnlyCopies() throws Exception {
    only = new TestFiles("only");
    only.write(FILES, FILE_BYTES, WritePType.MUST_CACHE);
  }

  private void awaitCapacity(long desiredBytes, long expectedBytes) {
    await()
        .untilAsserted(
            () -> assertThat(tier.resize(desiredBytes).capacityBytes()).isEqualTo(expectedBytes));
  }
}
