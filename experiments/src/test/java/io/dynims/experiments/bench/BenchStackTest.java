package io.dynims.experiments.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchStackTest {

  @TempDir private Path folder;
  private final PrintStream progress =
      new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);

  @Test
  void isSeparateFromTheUsersStackAndReadsSettingsFromTheEnvironment() throws Exception {
    StackHome user = new StackHome(folder, folder.resolve("home"));
    Map<String, String> environment =
        Map.of("DYNIMS_KAFKA_PORT", "9092", "DYNIMS_TIER_MAX", "512Mi");

    try (BenchStack stack = new BenchStack(user, environment, false, progress)) {
      StackSettings settings = stack.settings();

      assertThat(stack.home().state()).isEqualTo(folder.resolve("home/bench"));
      assertThat(settings.tierMaxBytes()).isEqualTo(512L << 20);
      assertThat(settings.port("kafka.port")).isNotEqualTo(9_092);
      assertThat(new HashSet<>(settings.ports().values())).hasSameSizeAs(settings.ports().keySet());
      assertThat(stack.settings().ports()).isEqualTo(settings.ports());
    }
    assertThat(folder.resolve("home")).isDirectoryContaining("glob:**/bench.lock");
    assertThat(folder.resolve("home/bench")).doesNotExist();
  }

  @Test
  void removesTheDataAndKeepsTheLogs() throws Exception {
    BenchStack stack =
        new BenchStack(new StackHome(folder, folder.resolve("home")), Map.of(), false, progress);
    stack.home().create();
    Files.writeString(stack.home().log("kafka"), "said");
    Files.createDirectories(stack.home().data("kafka"));
    Files.writeString(stack.home().policies().resolve("alluxio.yaml"), "of this benchmark");

    stack.close();

    assertThat(stack.home().log("kafka")).hasContent("said");
    assertThat(stack.home().data("kafka")).doesNotExist();
    assertThat(stack.home().policies()).doesNotExist();
  }

  @Test
  void startsNothingAfterItWasClosed() throws Exception {
    BenchStack stack =
        new BenchStack(new StackHome(folder, folder.resolve("home")), Map.of(), false, progress);
    stack.close();

    assertThatThrownBy(() -> stack.up(List.of())).isInstanceOf(StackException.class);
  }

  @Test
  void doesNotDisturbARunningBenchmark() throws Exception {
    StackHome user = new StackHome(folder, folder.resolve("home"));
    BenchStack running = new BenchStack(user, Map.of(), false, progress);
    try (running) {
      assertThatThrownBy(() -> new BenchStack(user, Map.of(), false, progress))
          .isInstanceOf(StackException.class)
          .hasMessageContaining("a benchmark is running");
    }
    new BenchStack(user, Map.of(), false, progress).close();
  }
}
