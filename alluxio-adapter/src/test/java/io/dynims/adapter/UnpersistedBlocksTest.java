package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import alluxio.master.block.BlockId;
import com.google.common.util.concurrent.Uninterruptibles;
import io.dynims.core.wire.Unpersisted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in a folder as blocks, a master that is a map, and holds that are granted at once. */
class UnpersistedBlocksTest {

  private static final FileStates.State PERSISTED = FileStates.State.Persisted;
  private static final FileStates.State UNPERSISTED = FileStates.State.Unpersisted;

  /** In force. */
  private static final long CAPACITY = 9_000;

  @TempDir private Path parent;
  private Path folder;

  private final Map<Long, FileStates.State> master = new HashMap<>();
  private final List<Long> asked = new ArrayList<>();
  private final Map<Long, FakeHold> held = new HashMap<>();
  private boolean masterAway;
  private boolean shown = true;
  private boolean grants = true;
  private long usedBytes;
  private long nowNanos;
  private int changes;
  private UnpersistedBlocks blocks;

  private static final class FakeHold implements Hold {

    private boolean granted;
    private boolean ended;

    @Override
    public boolean isHeld() {
      return granted && !ended;
    }

    @Override
    public boolean isEnded() {
      return ended;
    }

    @Override
    public void release() {
      ended = true;
    }
  }

  @BeforeEach
  void create() throws IOException {
    folder = Files.createDirectory(parent.resolve("alluxioworker"));
    blocks =
        new UnpersistedBlocks(
            listing(),
            () -> OptionalLong.of(usedBytes),
            this::ask,
            this::hold,
            () -> changes++,
            () -> nowNanos);
  }

  @Test
  void nothingIsEvictedBeforeTheFirstRound() {
    usedBytes = 700;
    assertThat(blocks.unpersistedBytes()).isNull();
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(700);
  }

  @Test
  void persistedBlocksCanBeEvictedAndAreAskedForOnce() throws Exception {
    write(1, 0, 500, PERSISTED);
    write(1, 1, 200, PERSISTED);
    blocks.round();
    second();
    blocks.round();

    assertThat(blocks.unpersistedBytes()).isZero();
    assertThat(blocks.floorBytes(CAPACITY)).isZero();
    assertThat(held).isEmpty();
    assertThat(asked).hasSize(1);
  }

  @Test
  void unpersistedBlocksAreHeldUntilTheirFileIsPersisted() throws Exception {
    long first = write(1, 0, 500, UNPERSISTED);
    long second = write(1, 1, 200, UNPERSISTED);
    write(2, 0, 1_000, PERSISTED);
    blocks.round();

    assertThat(blocks.unpersistedBytes()).isEqualTo(700);
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(700);
    assertThat(heldBlocks()).containsExactlyInAnyOrder(first, second);

    master.replaceAll((file, state) -> PERSISTED);
    int before = changes;
    second();
    blocks.round();
    assertThat(blocks.floorBytes(CAPACITY)).isZero();
    assertThat(heldBlocks()).isEmpty();
    assertThat(changes).isGreaterThan(before);
  }

  @Test
  void aHoldEndsWhenTheFileIsDeletedEvenIfTheBlockIsStillThere() throws Exception {
    write(1, 0, 500, UNPERSISTED);
    blocks.round();
    assertThat(heldBlocks()).hasSize(1);

    master.replaceAll((file, state) -> FileStates.State.Gone);
    second();
    blocks.round();

    assertThat(heldBlocks()).isEmpty();
    assertThat(blocks.unpersistedBytes()).isZero();
  }

  @Test
  void whileTheMasterIsAwayEverythingNewCountsAsUnpersisted() throws Exception {
    write(1, 0, 500, PERSISTED);
    blocks.round();
    masterAway = true;
    long unknown = write(2, 0, 200, PERSISTED);
    blocks.round();

    assertThat(blocks.unpersistedBytes()).isEqualTo(200);
    assertThat(heldBlocks()).containsExactly(unknown);

    masterAway = false;
    second();
    blocks.round();
    assertThat(blocks.unpersistedBytes()).isZero();
    assertThat(heldBlocks()).isEmpty();
  }

  @Test
  void nothingIsEvictedWhileAHoldIsNotGranted() throws Exception {
    grants = false;
    write(1, 0, 500, UNPERSISTED);
    write(2, 0, 1_000, PERSISTED);
    blocks.round();
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(1_500);

    held.values().forEach(hold -> hold.granted = true);
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(500);
  }

  @Test
  void aLostHoldIsOpenedAgain() throws Exception {
    write(1, 0, 500, UNPERSISTED);
    write(2, 0, 1_000, PERSISTED);
    blocks.round();
    held.values().forEach(hold -> hold.ended = true);
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(1_500);

    blocks.requestRound();
    blocks.round();
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(500);
  }

  @Test
  void nothingIsEvictedWhileThereAreMoreBlocksThanHolds() throws Exception {
    for (int file = 1; file <= HeldBlocks.MAX + 1; file++) {
      write(file, 0, 10, UNPERSISTED);
    }
    write(1_000, 0, 5_000, PERSISTED);
    blocks.round();

    assertThat(heldBlocks()).hasSize(HeldBlocks.MAX);
    assertThat(blocks.unpersistedBytes()).isEqualTo(10 * (HeldBlocks.MAX + 1));
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(usedBytes);

    asked.clear();
    second();
    blocks.round();
    assertThat(asked).hasSize(HeldBlocks.MAX);
    second();
    blocks.round();
    assertThat(new HashSet<>(asked)).hasSize(HeldBlocks.MAX + 1); // In turns.
  }

  @Test
  void aBlockThatIsNewSinceTheLastRoundCountsEvenIfItTookThePlaceOfAnother() throws Exception {
    long old = write(1, 0, 500, PERSISTED);
    blocks.round();

    Files.delete(folder.resolve(Long.toString(old)));
    usedBytes = 0;
    write(2, 0, 80, UNPERSISTED);

    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(80);
    blocks.round();
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(80);
  }

  @Test
  void aBlockOfAFolderThatDidNotChangeIsNotLookedForAgain() throws Exception {
    write(1, 0, 500, PERSISTED);
    Files.setLastModifiedTime(folder, FileTime.from(Instant.ofEpochSecond(1)));
    blocks.round();
    write(2, 0, 80, UNPERSISTED);
    Files.setLastModifiedTime(folder, FileTime.from(Instant.ofEpochSecond(1)));
    assertThat(blocks.floorBytes(CAPACITY)).isZero();
  }

  @Test
  void withEvictNothingIsHeldAndTheBytesAreStillKnown() throws Exception {
    write(1, 0, 500, UNPERSISTED);
    write(2, 0, 1_000, PERSISTED);
    blocks.round();
    blocks.setPolicy(Unpersisted.Evict);
    assertThat(blocks.floorBytes(CAPACITY)).isZero();
    blocks.round();
    assertThat(heldBlocks()).isEmpty();
    assertThat(blocks.unpersistedBytes()).isEqualTo(500);

    blocks.setPolicy(Unpersisted.Protect);
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(1_500); // Until it is held again.
    blocks.round();
    assertThat(heldBlocks()).hasSize(1);
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(500);
  }

  @Test
  void nothingIsEvictedOfATierThatWasNeverSeen() throws IOException {
    Files.delete(folder);
    blocks.round();

    assertThat(blocks.unpersistedBytes()).isNull();
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(CAPACITY);
  }

  @Test
  void whileTheFolderIsGoneNothingIsEvictedAndWhatWasFoundStaysHeld() throws Exception {
    long only = write(1, 0, 500, UNPERSISTED);
    write(2, 0, 1_000, PERSISTED);
    blocks.round();
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(500);

    Path away = Files.move(folder, parent.resolve("away"));
    assertThat(blocks.floorBytes(CAPACITY)).as("before the next round").isEqualTo(CAPACITY);
    second();
    blocks.round();

    assertThat(blocks.unpersistedBytes()).isNull();
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(CAPACITY);
    assertThat(heldBlocks()).containsExactly(only);

    Files.move(away, folder);
    blocks.round();
    assertThat(blocks.unpersistedBytes()).isEqualTo(500);
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(500);
  }

  @Test
  void aFolderThatCannotBeListedIsNotEmpty() throws Exception {
    write(1, 0, 500, UNPERSISTED);
    blocks.round();

    Path away = Files.move(folder, parent.resolve("away"));
    Files.createFile(folder); // There, but no folder: as good as one without permission.
    blocks.round();
    assertThat(blocks.unpersistedBytes()).isNull();
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(CAPACITY);

    Files.delete(folder);
    Files.move(away, folder);
    blocks.round();
    assertThat(blocks.unpersistedBytes()).isEqualTo(500);
  }

  @Test
  void closingDoesNotWaitForAMasterThatHangs() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    UnpersistedBlocks slow =
        new UnpersistedBlocks(
            listing(),
            () -> OptionalLong.of(usedBytes),
            files -> {
              asked.countDown();
              Uninterruptibles.awaitUninterruptibly(answer, 60, TimeUnit.SECONDS);
              return Map.of();
            },
            this::hold,
            () -> {},
            System::nanoTime);
    slow.start();
    write(1, 0, 500, UNPERSISTED);
    asked.await();

    long startNanos = System.nanoTime();
    slow.close();
    assertThat(System.nanoTime() - startNanos).isLessThan(TimeUnit.SECONDS.toNanos(30));
    answer.countDown();
  }

  @Test
  void anEmptyFolderThatIsNotTheWorkersTellsNothing() throws Exception {
    write(1, 0, 500, UNPERSISTED);
    blocks.round();
    Path away = Files.move(folder, parent.resolve("away"));
    Files.createDirectory(folder);
    shown = false;
    assertThat(blocks.floorBytes(CAPACITY)).as("before the next round").isEqualTo(CAPACITY);
    blocks.round();
    assertThat(blocks.unpersistedBytes()).isNull();
    assertThat(heldBlocks()).hasSize(1);

    Files.delete(folder);
    Files.move(away, folder);
    shown = true;
    blocks.round();
    assertThat(blocks.unpersistedBytes()).isEqualTo(500);
    assertThat(blocks.floorBytes(CAPACITY)).isEqualTo(500);
  }

  private BlockListing listing() {
    return new BlockListing(folder.toFile(), () -> shown);
  }

  private Map<Long, FileStates.State> ask(Collection<Long> fileIds) {
    asked.addAll(fileIds);
    Map<Long, FileStates.State> known = new HashMap<>(masterAway ? Map.of() : master);
    known.keySet().retainAll(Set.copyOf(fileIds));
    return known;
  }

  private Hold hold(long blockId) {
    FakeHold hold = new FakeHold();
    hold.granted = grants;
    held.put(blockId, hold);
    return hold;
  }

  private Set<Long> heldBlocks() {
    Set<Long> ids = new HashSet<>();
    held.forEach(
        (id, hold) -> {
          if (hold.isHeld()) {
            ids.add(id);
          }
        });
    return ids;
  }

  private long write(long container, int sequence, int bytes, FileStates.State state)
      throws IOException {
    long blockId = BlockId.createBlockId(container, sequence);
    Files.write(folder.resolve(Long.toString(blockId)), new byte[bytes]);
    usedBytes += bytes;
    master.put(BlockId.getFileId(blockId), state);
    return blockId;
  }

  private void second() {
    nowNanos += TimeUnit.SECONDS.toNanos(1);
  }
}
