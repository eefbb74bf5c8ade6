package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.dynims.cli.stack.StackException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TierMountTest {

  @TempDir private Path folder;

  @Test
  void mountsAndLeavesNothingBehind() throws Exception {
    TierMount mount = new TierMount(folder.resolve("tier"));
    try {
      mount.mount();
    } catch (StackException e) {
      abort(e.getMessage()); // Not root, or no huge pages here.
    }
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
