package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerFolderTest {

  private final WorkerFolder folder =
      new WorkerFolder(Path.of("/dev/shm/alluxioworker"), Path.of("/tier/alluxioworker"));

  @Test
  void aBlockIsAtTheSamePlaceInBothViews() {
    assertThat(folder.ownPath(Path.of("/dev/shm/alluxioworker/.tmp_blocks/7/42")))
        .contains(Path.of("/tier/alluxioworker/.tmp_blocks/7/42"));
  }

  @ParameterizedTest
  @CsvSource({
    "/dev/shm/alluxioworker2/.tmp_blocks/7/42",
    "/dev/shm/alluxioworker/part/.tmp_blocks/7/42",
    "/tier/alluxioworker/.tmp_blocks/7/42",
    "/42"
  })
  void aBlockElsewhereIsNotTheTiers(Path workersFile) {
    assertThat(folder.ownPath(workersFile)).isEmpty();
  }

  @Test
  void whatIsSaidNamesBothFoldersAndTheSettings() {
    assertThat(folder.misplaced(Path.of("/mnt/b")))
        .contains(
            "in /mnt/b,",
            "worker.directory is /dev/shm/alluxioworker;",
            "tier.directory, now /tier/alluxioworker,");
    assertThat(folder.unreadable("it is away"))
        .contains("/dev/shm/alluxioworker", "tier.directory /tier/alluxioworker: it is away;");
  }
}
