package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in a directory of a larger file system. While the clock stands still, no sum is reused. */
class TierDirectoryTest {

  @TempDir private Path parent;
  private Path folder;
  private TierDirectory directory;
  private boolean shown = true;

  @BeforeEach
  void makeDirectory() throws IOException {
    folder = Files.createDirectories(parent.resolve("alluxioworker"));
    Files.createFile(parent.resolve("other"));
    directory = new TierDirectory(folder, () -> shown, () -> 0);
  }

  @Test
  void blocksAreAddedUp() throws IOException {
    assertThat(directory.usedBytes()).isZero();
    write("1", 1_000);
    write("2", 20);
    assertThat(directory.usedBytes()).isEqualTo(1_020);
    Files.delete(folder.resolve("1"));
    assertThat(directory.usedBytes()).isEqualTo(20);
  }

  @Test
  void aBlockIsMeasuredOnce() throws IOException {
    write("1", 1_000);
    assertThat(directory.usedBytes()).isEqualTo(1_000);
    Files.write(folder.resolve("1"), new byte[2_000]);
    assertThat(directory.usedBytes()).isEqualTo(1_000);
  }

  @Test
  void blocksBeingWrittenAreMeasuredEachTime() throws IOException {
    write(".tmp_blocks/7/1", 1_000);
    assertThat(directory.usedBytes()).isEqualTo(1_000);
    Files.write(folder.resolve(".tmp_blocks/7/1"), new byte[3_000]);
    assertThat(directory.usedBytes()).isEqualTo(3_000);
  }

  @Test
  void emptyDirectoriesAreListedInTurns() throws IOException {
    makeSettledFolders();
    assertThat(directory.usedBytes()).isZero();
    write(".tmp_blocks/70/1", 1_000);
    long bytes = 0;
    int sums = 0;
    while (bytes == 0 && sums < 7) {
      bytes = directory.usedBytes();
      sums++;
    }
    assertThat(bytes).isEqualTo(1_000);
  }

  @Test
  void aDirectoryThatWasNeverSeenIsUnknown() {
    TierDirectory none = new TierDirectory(parent.resolve("none"), () -> true, () -> 0);

    assertThat(none.measuredBytes()).isEmpty();
    assertThatThrownBy(none::check)
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(parent.resolve("none").toString());
  }

  @Test
  void whileTheDirectoryIsGoneTheBytesAreTheLastKnown() throws IOException {
    write("1", 1_000);
    assertThat(directory.usedBytes()).isEqualTo(1_000);

    Path away = Files.move(folder, parent.resolve("away"));
    assertThat(directory.measuredBytes()).isEmpty();
    assertThat(directory.usedBytes()).isEqualTo(1_000);

    Files.move(away, folder);
    write("2", 20);
    assertThat(directory.measuredBytes()).hasValue(1_020);
    assertThat(directory.usedBytes()).isEqualTo(1_020);
  }

  @Test
  void anotherDirectoryInItsPlaceIsNotMeasured() throws IOException {
    write("1", 1_000);
    assertThat(directory.usedBytes()).isEqualTo(1_000);

    shown = false;
    Files.delete(folder.resolve("1"));
    assertThat(directory.measuredBytes()).isEmpty();
    assertThat(directory.usedBytes()).isEqualTo(1_000);
  }

  @Test
  void whileAnyFolderOfBlocksBeingWrittenCannotBeListedTheSumIsUnknown() throws IOException {
    for (int i = 0; i < 100; i++) {
      write(".tmp_blocks/" + i + "/1", 10); // Many, which are listed in turns.
    }
    assertThat(directory.usedBytes()).isEqualTo(1_000);
    Path one = folder.resolve(".tmp_blocks/7");
    Path away = Files.move(one, parent.resolve("away"));
    Files.createSymbolicLink(one, one); // A loop: it can be listed no more than without permission.

    for (int sum = 0; sum < 20; sum++) {
      assertThat(directory.measuredBytes()).isEmpty();
      assertThat(directory.usedBytes()).isEqualTo(1_000);
    }

    Files.delete(one);
    Files.move(away, one);
    assertThat(directory.measuredBytes()).hasValue(1_000);
  }

  @Test
  void aSumIsReusedForATimeThatGrowsWithItsCost() throws IOException {
    long[] nanos = {0};
    TierDirectory slow = new TierDirectory(folder, () -> true, () -> nanos[0] += 1_000);
    assertThat(slow.usedBytes()).isZero();
    write("1", 1_000);
    assertThat(slow.usedBytes()).isZero();
    nanos[0] += 50_000;
    assertThat(slow.usedBytes()).isEqualTo(1_000);
  }

  /** As those of MPI libraries, browsers and data loaders in {@code /dev/shm}. */
  @Test
  void filesOfOthersThatHaveNoNameAreNotTheTiers() throws Exception {
    try (TmpfsMount mount = new TmpfsMount(Files.createDirectory(parent.resolve("own")))) {
      folder = Files.createDirectory(mount.folder().resolve("alluxioworker"));
      TierDirectory alone = new TierDirectory(folder, () -> true, () -> 0);
      write("1", 8_192);
      assertThat(alone.usedBytes()).isEqualTo(8_192);

      try (OutputStream other = withoutName(mount.folder().resolve("other"), 1 << 20)) {
        assertThat(alone.usedBytes()).isEqualTo(8_192);
        write("2", 4_096);
        assertThat(alone.usedBytes()).isEqualTo(12_288);
        other.write(1);
      }
      assertThat(alone.usedBytes()).isEqualTo(12_288);
    }
  }

  @Test
  void theFileSystemTellsWhatHasChangedSinceASumWasMade() throws Exception {
    try (TmpfsMount mount = new TmpfsMount(Files.createDirectory(parent.resolve("own")))) {
      folder = Files.createDirectory(mount.folder().resolve("alluxioworker"));
      long[] nanos = {0};
      TierDirectory slow = new TierDirectory(folder, () -> true, () -> nanos[0] += 1_000);
      try (OutputStream other = withoutName(mount.folder().resolve("other"), 1 << 20)) {
        assertThat(slow.usedBytes()).isZero();
        write("1", 8_192);
        write("2", 4_096);
        assertThat(slow.usedBytes()).isEqualTo(12_288);
        Files.delete(folder.resolve("1"));
        assertThat(slow.usedBytes()).isEqualTo(4_096);
        other.write(1);
      }
      assertThat(slow.usedBytes()).as("less than nothing").isZero();
      nanos[0] += 50_000;
      assertThat(slow.usedBytes()).isEqualTo(4_096);
    }
  }

  @Test
  void whileTheFileSystemDoesNotChangeNoSumIsMade() throws Exception {
    try (TmpfsMount mount = new TmpfsMount(Files.createDirectory(parent.resolve("own")))) {
      folder = Files.createDirectory(mount.folder().resolve("alluxioworker"));
      int[] looks = {0};
      TierDirectory alone = new TierDirectory(folder, () -> true, () -> looks[0]++);
      write("1", 8_192);
      assertThat(alone.usedBytes()).isEqualTo(8_192);
      looks[0] = 1 << 30; // The sum may be old by now.
      int before = looks[0];
      assertThat(alone.usedBytes()).isEqualTo(8_192);
      assertThat(looks[0] - before).as("looks at the clock; a sum takes two").isEqualTo(1);
      write("2", 4_096);
      assertThat(alone.usedBytes()).isEqualTo(12_288);
      assertThat(looks[0] - before).isEqualTo(3);
    }
  }

  /** Blocks that are being written are all in the sum there, or they would be others' files. */
  @Test
  void allBlocksBeingWrittenAreAddedUpWhereTheFileSystemIsAsked() throws Exception {
    try (TmpfsMount mount = new TmpfsMount(Files.createDirectory(parent.resolve("own")))) {
      folder = Files.createDirectory(mount.folder().resolve("alluxioworker"));
      TierDirectory alone = new TierDirectory(folder, () -> true, () -> 0);
      makeSettledFolders();
      assertThat(alone.usedBytes()).isZero();
      write(".tmp_blocks/70/1", 4_096);
      assertThat(alone.usedBytes()).isEqualTo(4_096);
    }
  }

  /** Empty folders for blocks being written that have not changed for long. */
  private void makeSettledFolders() throws IOException {
    for (int i = 0; i < 100; i++) {
      Path temporary = Files.createDirectories(folder.resolve(".tmp_blocks/" + i));
      Files.setLastModifiedTime(temporary, FileTime.from(Instant.ofEpochSecond(1)));
    }
  }

  private static OutputStream withoutName(Path file, int bytes) throws IOException {
    OutputStream out = Files.newOutputStream(file);
    Files.delete(file);
    out.write(new byte[bytes]);
    return out;
  }

  private void write(String name, int bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[bytes]);
  }
}
