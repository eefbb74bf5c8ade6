package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.core.node.MachineMemory;
import io.dynims.core.node.NodeSampler;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which memory is the node's, whatever the limit of the adapter's own control group is. */
class NodeMemorySettingsTest {

  @TempDir private Path root;

  @Test
  void isTheMachinesUnlessTheSettingsNameAControlGroup() throws Exception {
    assertThat(totalBytes()).isEqualTo(MachineMemory.now().totalBytes());
  }

  @Test
  void isTheLimitOfTheGroupThatIsNamed() throws Exception {
    Path group = group("node.slice", 5_000);

    assertThat(totalBytes("--node.memory.group=" + group)).isEqualTo(5_000);
  }

  @Test
  void isTheLimitOfTheGroupAboveTheAdapters() throws Exception {
    group("node.slice", 5_000);
    Path own = group("node.slice/adapter", 300);
    Files.writeString(own.resolve("cgroup.procs"), ProcessHandle.current().pid() + "\n");
    Files.createFile(root.resolve("cgroup.controllers"));

    assertThat(totalBytes("--node.memory.group=..", "--cgroup.root=" + root)).isEqualTo(5_000);
  }

  @Test
  void aGroupWithoutALimitHasWhatTheSettingsSay() throws Exception {
    Path group = group("node.slice", 5_000);
    Files.writeString(group.resolve("memory.max"), "max\n");

    assertThat(totalBytes("--node.memory.group=" + group, "--memory.total=7000")).isEqualTo(7_000);
  }

  @Test
  void aNodeHasNoMoreMemoryThanItsMachine() throws Exception {
    Path group = group("node.slice", 5_000);
    Files.writeString(group.resolve("memory.max"), "max\n");

    assertThat(totalBytes("--node.memory.group=" + group, "--memory.total=1000Ti"))
        .isEqualTo(MachineMemory.now().totalBytes());
  }

  @Test
  void aRootWithoutAGroupIsRefused() {
    assertThatThrownBy(() -> totalBytes("--cgroup.root=/host/cgroup"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cgroup.root: counts for node.memory.group=.. only");
  }

  private Path group(String name, long limitBytes) throws IOException {
    Path group = Files.createDirectories(root.resolve(name));
    Files.writeString(group.resolve("memory.max"), limitBytes + "\n");
    Files.writeString(group.resolve("memory.current"), "100\n");
    Files.writeString(group.resolve("memory.stat"), "anon 100\n");
    Files.createFile(group.resolve("cgroup.procs"));
    return group;
  }

  private static long totalBytes(String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of(options));
    args.add("--http.token.file=none");
    Config config =
        Config.read(
            AdapterSettings.documented("tier.name = ${T:t}\ntier.min = ${T:0}\ntier.max = ${T:}"),
            args.toArray(new String[0]),
            Map.of());
    AdapterSettings settings = AdapterSettings.read(config);
    config.check();
    try (NodeSampler memory = AdapterProgram.sampler(settings)) {
      memory.sample(false);
      return memory.totalBytes();
    }
  }
}
