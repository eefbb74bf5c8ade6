package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TierMountTest {

  private static final Path HUGE_PAGES =
      Path.of("/sys/kernel/mm/transparent_hugepage/shmem_enabled");

  @TempDir private Path folder;

  @Test
  void mountsAndLeavesNothingBehind() throws Exception {
    Needs.root("to mount");
    Needs.feature(Needs.Feature.HugePages, Files.exists(HUGE_PAGES), "of tmpfs");
    TierMount mount = new TierMount(folder.resolve("tier"));
    mount.mount();
    try {
      assertThat(Files.getFileStore(mount.folder()).type()).isEqualTo("tmpfs");
      mount.mount(); // As after a benchmark that was killed.
      assertThat(Files.readString(Path.of("/proc/mounts")))
          .containsOnlyOnce(mount.folder().toString());
    } finally {
      mount.unmount();
    }
    assertThat(mount.folder()).doesNotExist();
  }

  @Test
  void unmountIsANoOpIfNothingIsMounted() throws Exception {
    TierMount mount = new TierMount(folder.resolve("tier"));
    mount.unmount();
    Files.createDirectory(mount.folder());
    mount.unmount();
    assertThat(mount.folder()).doesNotExist();
  }
}
