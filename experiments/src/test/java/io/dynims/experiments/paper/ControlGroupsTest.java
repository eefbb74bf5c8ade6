package io.dynims.experiments.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.cli.stack.StackException;
import io.dynims.core.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written to the kernel's files, and read from them, in both versions. */
class ControlGroupsTest {

  private static final long LIMIT = 1L << 30;

  @TempDir private Path root;

  @Test
  void limitsANodeInVersion1() throws Exception {
    file("memory/cgroup.procs", "");
    ControlGroups groups = new ControlGroups(root);
    Path node = groups.makeNode("node", LIMIT);

    assertThat(node).isEqualTo(root.resolve("memory/node"));
    assertThat(node.resolve("memory.limit_in_bytes")).hasContent("1073741824");
    file("memory/node/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    file("memory/node/load/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    assertThat(groups.outOfMemoryKills(node)).isEqualTo(3);
  }

  /** A folder has not the files of a group, so it goes no further than the root's. */
  @Test
  void givesControllersToTheNodeInVersion2() throws Exception {
    version2("cpuset cpu io memory pids", "cpu memory pids");
    assertThatThrownBy(() -> new ControlGroups(root).makeNode("node", LIMIT))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(root.resolve("node/cgroup.controllers").toString());

    assertThat(root.resolve("cgroup.subtree_control")).hasContent("+io");
  }

  /** Whichever version this machine has. */
  @Test
  void theKernelKeepsToTheLimit() throws Exception {
    ControlGroups groups = ControlGroups.ofThisMachine();
    Needs.feature(Needs.Feature.ControlGroups, groups.isUsable(), "/sys/fs/cgroup is read-only");
    String name = "dynims-test-" + ProcessHandle.current().pid();
    Path node = groups.makeNode(name, 64L << 20);
    try {
      Process small = start(node, "bytearray(16 << 20)");
      assertThat(small.waitFor()).isZero();
      assertThat(groups.outOfMemoryKills(node)).isZero();

      Process large = start(node, "bytearray(256 << 20)");
      assertThat(large.waitFor()).as("killed").isEqualTo(128 + 9);
      assertThat(groups.outOfMemoryKills(node)).isPositive();
    } finally {
      ControlGroups.remove(node);
    }
    assertThat(node).doesNotExist();
  }

  private static Process start(Path node, String python) throws IOException {
    List<String> command = List.of("python3", "-c", python);
    return new ProcessBuilder(new NodeGroup(node).command("load", command)).inheritIO().start();
  }

  @Test
  void countsInVersion2() throws Exception {
    version2("io memory", "io memory");
    ControlGroups groups = new ControlGroups(root);
    Path node = root.resolve("node");
    file("node/memory.events", "low 0\nhigh 0\nmax 20\noom 2\noom_kill 3\noom_group_kill 0\n");
    file("node/load/memory.events", "oom_kill 3\n");
    assertThat(groups.outOfMemoryKills(node)).as("those below it are in it").isEqualTo(3);

    Path slow = groups.makeSlowReads("any", node, "8:0", 100);
    assertThat(slow).isEqualTo(node.resolve("slow"));
    assertThat(slow.resolve("io.max")).hasContent("8:0 rbps=100");
    file("node/slow/io.stat", "8:16 rbytes=7 wbytes=1\n8:0 rbytes=4096 wbytes=0 rios=1 wios=0\n");
    assertThat(groups.readBytes(slow, "8:0")).isEqualTo(4_096);
    assertThat(groups.readBytes(slow, "8:32")).isZero();
  }

  @Test
  void slowsReadsInVersion1() throws Exception {
    file("blkio/cgroup.procs", "");
    ControlGroups groups = new ControlGroups(root);
    Path slow = groups.makeSlowReads("any", root.resolve("memory/node"), "8:0", 100);

    assertThat(slow.resolve("blkio.throttle.read_bps_device")).hasContent("8:0 100");
    file("blkio/any/blkio.throttle.io_service_bytes", "8:0 Read 4096\n8:0 Write 0\nTotal 4096\n");
    assertThat(groups.readBytes(slow, "8:0")).isEqualTo(4_096);
  }

  @Test
  void namesAControllerThatIsMissing() throws Exception {
    version2("cpu memory", "cpu");
    assertThatThrownBy(() -> new ControlGroups(root).makeNode("node", LIMIT))
        .isInstanceOf(StackException.class)
        .hasMessage(root + " lacks the controllers [io]");
  }

  @Test
  void namesWhatCannotBeWritten() {
    assertThatThrownBy(() -> new ControlGroups(root).makeNode("node", LIMIT))
        .isInstanceOf(StackException.class)
        .hasMessageContaining(root.resolve("memory") + " cannot be written");
  }

  private void version2(String controllers, String enabled) throws IOException {
    file("cgroup.controllers", controllers);
    file("cgroup.subtree_control", enabled);
    file("cgroup.procs", "");
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
