package io.dynims.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolsTest {

  @TempDir private Path temporary;

  @Test
  void whatAToolHasStartedEndsWithIt() throws Exception {
    Path log = temporary.resolve("log");
    List<String> tool = List.of("sh", "-c", "sleep 300 & echo $!; wait");

    assertThatThrownBy(() -> Tools.run(tool, log, 1))
        .isInstanceOf(StackException.class)
        .hasMessage("sh: still running after 1 s");

    long started = Long.parseLong(Files.readString(log).strip());
    await().until(() -> ProcessHandle.of(started).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void aToolThatFailsIsReported() {
    assertThatThrownBy(() -> Tools.run(List.of("false"), temporary.resolve("log")))
        .isInstanceOf(StackException.class)
        .hasMessage("preparing failed, exit code 1");
    assertThat(temporary.resolve("log")).isEmptyFile();
  }
}
