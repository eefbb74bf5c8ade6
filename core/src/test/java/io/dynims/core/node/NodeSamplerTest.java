package io.dynims.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeSamplerTest {

  @TempDir private Path root;

  @Test
  void theMachinesMemoryIsWhatIsNotAvailable() throws IOException {
    write("proc/meminfo", "MemTotal:   1000 kB\nMemFree:  100 kB\nMemAvailable:    400 kB\n");
    write(
        "proc/zoneinfo",
        "  managed  250\n  cpu: 0\n    count:  10\n    high:  7\n  cpu: 1\n    count: 5\n");
    try (MachineMemory memory = new MachineMemory(root)) {
      memory.sample(false);
      assertThat(memory.totalBytes()).isEqualTo(1_000 << 10);
      assertThat(memory.usedBytes()).isEqualTo(600 << 10);
      assertThat(memory.stalledMicros()).isEqualTo(NodeSampler.UNKNOWN);

      memory.sample(true);
      assertThat(memory.usedBytes()).as("less the processors' own lists").isEqualTo(540 << 10);

      write("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 1 kB\n");
      assertThatThrownBy(() -> memory.sample(false))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("meminfo has no MemAvailable:");
    }
  }

  @Test
  void readsThePressureOfSomeTasks() throws IOException {
    write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 400 kB\n");
    write("proc/zoneinfo", "");
    write(
        "proc/pressure/memory",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=123\nfull avg10=0.00 total=45\n");
    try (MachineMemory memory = new MachineMemory(root)) {
      memory.sample(false);
      assertThat(memory.stalledMicros()).isEqualTo(123);
    }
  }

  /** As a kernel does whose account of waiting is switched off meanwhile; here a process ends. */
  @Test
  void measuresTheMemoryWherePressureCannotBeReadAnyMore() throws Exception {
    write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 400 kB\n");
    Process process = new ProcessBuilder("sleep", "600").start();
    Path pressure = root.resolve("proc/pressure/memory");
    Files.createDirectories(pressure.getParent());
    Files.createSymbolicLink(pressure, Path.of("/proc/" + process.pid() + "/status"));
    try (MachineMemory memory = new MachineMemory(root)) {
      memory.sample(false);
      process.destroyForcibly().waitFor();
      memory.sample(false);
      assertThat(memory.usedBytes()).isEqualTo(600 << 10);
      assertThat(memory.stalledMicros()).isEqualTo(NodeSampler.UNKNOWN);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aNodeMayBeAControlGroup() throws IOException {
    write("cgroup.controllers", "memory\n");
    write("node.slice/memory.max", "5000\n");
    write("node.slice/memory.current", "4000\n");
    write(
        "node.slice/memory.stat",
        "anon 1\nactive_file 300\ninactive_file 20\nslab_reclaimable 5\n");
    write("node.slice/cgroup.procs", "");
    write("node.slice/adapter/cgroup.procs", "41\n4711\n");
    try (GroupMemory memory = new GroupMemory(root, 4711, 9_000)) {
      memory.sample(true);
      assertThat(memory.totalBytes()).isEqualTo(5_000);
      assertThat(memory.usedBytes()).isEqualTo(4_000 - 325);

      write("node.slice/memory.max", "max\n");
      memory.sample(true);
      assertThat(memory.totalBytes()).isEqualTo(9_000);
    }
    assertThatThrownBy(() -> new GroupMemory(root, 12, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no control group below");
  }

  @Test
  void readsTheControlGroupsOfVersion1() throws IOException {
    write("memory/node/memory.limit_in_bytes", "5000\n");
    write("memory/node/memory.usage_in_bytes", "4000\n");
    write(
        "memory/node/memory.stat",
        "cache 7\nactive_file 1\ntotal_inactive_file 300\ntotal_active_file 20\n");
    write("memory/node/adapter/cgroup.procs", "7\n");
    try (GroupMemory memory = new GroupMemory(root, 7, 9_000)) {
      memory.sample(false);
      assertThat(memory.usedBytes()).isEqualTo(4_000 - 320);
    }
  }

  @Test
  void samplingTheRealMachineDoesNotAllocate() throws IOException {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (MachineMemory memory = new MachineMemory(Path.of("/"))) {
      long allocated = 0;
      for (int round = 0; round < 3; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
          memory.sample(true);
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
      }
      assertThat(memory.usedBytes()).isBetween(1L, memory.totalBytes());
      assertThat(allocated).as("bytes in 1,000 samples").isLessThan(10_000);
    }
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
