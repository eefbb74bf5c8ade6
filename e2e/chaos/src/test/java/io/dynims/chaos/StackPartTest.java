package io.dynims.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.cli.stack.ProcessId;
import io.dynims.cli.stack.StackHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackPartTest {

  @TempDir private Path folder;

  private Process process;

  @AfterEach
  void end() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  /** After a crash the pid of a part may be another process's. */
  @Test
  void whoeverHasThePidOfAPartThatEndedIsLeftAlone() throws Exception {
    StackHome home = new StackHome(folder, folder);
    Files.createDirectories(home.pid("kafka").getParent());
    process = new ProcessBuilder("sleep", "60").start();
    ProcessId id = ProcessId.of(process.pid()).orElseThrow();
    id.write(home.pid("kafka"));
    StackPart part = new StackPart(home, "kafka");
    assertThat(part.isAlive()).isTrue();

    new ProcessId(id.pid(), id.startTicks() - 1, id.bootId()).write(home.pid("kafka"));
    part.kill();
    part.thaw();

    assertThat(part.isAlive()).isFalse();
    assertThatThrownBy(part::freeze).isInstanceOf(IOException.class).hasMessageContaining("ended");
    assertThat(process.isAlive()).isTrue();
  }
}
