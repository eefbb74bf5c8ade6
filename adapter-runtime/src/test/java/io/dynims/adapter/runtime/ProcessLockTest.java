package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLockTest {

  @TempDir private Path folder;

  @Test
  void aSecondHolderIsRefusedByName() throws Exception {
    Path state = folder.resolve("state");
    ProcessLock.hold(state);

    assertThatThrownBy(() -> ProcessLock.hold(state))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another adapter uses the state file " + state);
    assertThatCode(() -> ProcessLock.hold(folder.resolve("other"))).doesNotThrowAnyException();
  }

  /** As with ENOLCK of NFS and Lustre: a channel that is closed fails as such a file does. */
  @Test
  void aFileSystemWithoutLocksIsNoReasonToStop() throws Exception {
    Path file = folder.resolve("state.lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.close();

    assertThat(ProcessLock.isLocked(channel, file)).isTrue();
  }

  @Test
  void aFolderThatDoesNotExistIsNoReasonToStop() {
    assertThatCode(() -> ProcessLock.hold(folder.resolve("none/state"))).doesNotThrowAnyException();
  }
}
