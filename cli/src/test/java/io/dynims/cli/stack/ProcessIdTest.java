package io.dynims.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIdTest {

  @TempDir private Path folder;

  private Process process;

  private ProcessId id;

  @BeforeEach
  void start() throws Exception {
    process = new ProcessBuilder("sleep", "60").start();
    id = ProcessId.of(process.pid()).orElseThrow();
  }

  @AfterEach
  void end() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  @Test
  void isReadBackAsTheSameProcess() throws Exception {
    Path file = folder.resolve("a.pid");
    id.write(file);

    assertThat(ProcessId.read(file)).contains(id);
    assertThat(id.isAlive()).isTrue();
    assertThat(id.residentBytes()).isPositive();
    assertThat(id.isRealTime()).isFalse();
  }

  @Test
  void isNotAliveOnceItHasEnded() {
    id.signal(true);

    await().until(() -> !id.isAlive());
    assertThat(id.residentBytes()).isZero();
  }

  @Test
  void leavesAnotherProcessWithTheSamePidAlone() {
    ProcessId recycled = new ProcessId(id.pid(), id.startTicks() - 1, id.bootId());
    ProcessId beforeReboot = new ProcessId(id.pid(), id.startTicks(), "another start");

    recycled.signal(true);
    beforeReboot.signal(true);

    assertThat(recycled.isAlive()).isFalse();
    assertThat(beforeReboot.isAlive()).isFalse();
    assertThat(id.isAlive()).isTrue();
  }

  @Test
  void isNotReadFromADamagedOrMissingFile() throws Exception {
    Path file = folder.resolve("a.pid");
    assertThat(ProcessId.read(file)).isEmpty();

    Files.writeString(file, id.pid() + "\n");
    assertThat(ProcessId.read(file)).isEmpty();

    Files.writeString(file, "");
    assertThat(ProcessId.read(file)).isEmpty();
  }
}
