package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
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

  @Test
  void aFolderThatDoesNotExistIsNoReasonToStop() {
    assertThatCode(() -> ProcessLock.hold(folder.resolve("none/state"))).doesNotThrowAnyException();
  }
}
