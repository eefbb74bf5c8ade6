package io.dynims.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeMemoryTest {

  private static final long TOTAL_BYTES = 1_000L * 1024;

  @TempDir private Path root;

  @BeforeEach
  void writeMemInfo() throws IOException {
    write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 400 kB\n");
  }

  @Test
  void isMemTotalWithoutALimit() throws IOException {
    write("proc/self/cgroup", "0::/user.slice\n");
    write("sys/fs/cgroup/user.slice/memory.max", "max\n");

    assertThat(new NodeMemory(root).totalBytes()).hasValue(TOTAL_BYTES);
  }

  @Test
  void isTheLimitOfAControlGroupOrOfOneAboveIt() throws IOException {
    write("proc/self/cgroup", "0::/kubepods/pod/container\n");
    write("sys/fs/cgroup/kubepods/pod/container/memory.max", "5000\n");
    assertThat(new NodeMemory(root).totalBytes()).hasValue(5_000);

    write("sys/fs/cgroup/kubepods/memory.max", "4000\n");
    assertThat(new NodeMemory(root).totalBytes()).hasValue(4_000);
  }

  @Test
  void readsTheLimitsOfVersion1Too() throws IOException {
    write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/a\n");
    write("sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes", "3000\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");

    assertThat(new NodeMemory(root).totalBytes()).hasValue(3_000);
  }

  @Test
  void aGroupThatIsNotVisibleInAContainerHasTheLimitOfTheTop() throws IOException {
    write("proc/self/cgroup", "0::/../../outside\n");
    write("sys/fs/cgroup/memory.max", "7000\n");

    assertThat(new NodeMemory(root).totalBytes()).hasValue(TOTAL_BYTES);

    write("proc/self/cgroup", "0::/not/mounted/here\n");
    assertThat(new NodeMemory(root).totalBytes()).hasValue(7_000);
  }

  @Test
  void isUnknownWithoutTheKernelsFiles() throws IOException {
    Files.delete(root.resolve("proc/meminfo"));

    assertThat(new NodeMemory(root).totalBytes()).isEmpty();
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
