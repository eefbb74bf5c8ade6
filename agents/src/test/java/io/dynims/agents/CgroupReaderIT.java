package io.dynims.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.node.MachineMemory;
import io.dynims.core.wire.Topics;
import io.dynims.testing.CollectdAgent;
import io.dynims.testing.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a real collectd sends if its node is a control group; the test writes the files of the
 * groups.
 */
class CgroupReaderIT {

  private static final long MIB = 1L << 20;

  private KafkaBroker broker;
  private Path root;

  @BeforeEach
  void start() throws Exception {
    RequiredCollectd.check();
    broker = KafkaBroker.shared();
    broker.createTopic(Topics.METRICS, 1, Map.of());
    // collectd runs as another user.
    root = Files.createTempDirectory("dynims-cgroup-");
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void stop() throws Exception {
    if (broker != null) {
      broker.close();
    }
    if (root != null) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void readsTheGroupAboveItsOwnInVersion2() throws Exception {
    write("cgroup.controllers", "memory");
    write("other/agent/cgroup.procs", "0\n1");
    write("node/memory.max", 1024 * MIB);
    write("node/memory.current", 700 * MIB);
    write(
        "node/memory.stat",
        "anon %d\nfile %d\nshmem %d\nactive_file %d\ninactive_file %d\nslab_reclaimable %d\n"
            .formatted(400 * MIB, 250 * MIB, 200 * MIB, 30 * MIB, 20 * MIB, 10 * MIB));
    write(
        "node/memory.pressure",
        "some avg10=1.50 avg60=0.30 avg300=0.00 total=1843984\n"
            + "full avg10=0.00 avg60=0.00 avg300=0.00 total=414782");

    JsonNode sample = sampleOf("node/agent/cgroup.procs");

    assertThat(CollectdSamples.value(sample, "mem_total")).isEqualTo(1024 * MIB);
    assertThat(CollectdSamples.value(sample, "mem_free")).isEqualTo(324 * MIB);
    // tmpfs (shmem) is not available; pages of files and the kernel's caches are.
    assertThat(CollectdSamples.value(sample, "mem_available"))
        .isEqualTo((324 + 30 + 20 + 10) * MIB);
    assertThat(CollectdSamples.value(sample, "shmem")).isEqualTo(200 * MIB);
    assertThat(CollectdSamples.value(sample, "per_cpu_free")).isEqualTo(0);
    assertThat(CollectdSamples.value(sample, "psi_some_micros")).isEqualTo(1_843_984);
  }

  @Test
  void usesTheGivenTotalIfVersion1HasNoLimit() throws Exception {
    write("memory/docker/node/memory.limit_in_bytes", 9223372036854771712L);
    write("memory/docker/node/memory.usage_in_bytes", 700 * MIB);
    write(
        "memory/docker/node/memory.stat",
        "cache 0\nactive_file 0\ntotal_cache %d\ntotal_shmem %d\ntotal_active_file %d\ntotal_inactive_file %d\n"
            .formatted(250 * MIB, 200 * MIB, 30 * MIB, 20 * MIB));

    JsonNode sample =
        sampleOf("memory/docker/node/agent/cgroup.procs", "--memory-total", "" + 800 * MIB);

    assertThat(CollectdSamples.value(sample, "mem_total")).isEqualTo(800 * MIB);
    assertThat(CollectdSamples.value(sample, "mem_free")).isEqualTo(100 * MIB);
    assertThat(CollectdSamples.value(sample, "mem_available")).isEqualTo(150 * MIB);
    assertThat(CollectdSamples.isUnknown(sample, "psi_some_micros"))
        .as("version 1 does not measure the pressure of a group")
        .isTrue();
  }

  @Test
  void aNodeHasNoMoreMemoryThanItsMachine() throws Exception {
    write("memory/docker/node/memory.limit_in_bytes", 9223372036854771712L);
    write("memory/docker/node/memory.usage_in_bytes", 700 * MIB);
    write("memory/docker/node/memory.stat", "total_shmem 0\n");

    JsonNode sample =
        sampleOf("memory/docker/node/agent/cgroup.procs", "--memory-total", "" + (1L << 44));

    assertThat(CollectdSamples.value(sample, "mem_total"))
        .isEqualTo(MachineMemory.now().totalBytes());
  }

  @Test
  void sendsNothingOutsideAnyGroupBelowTheRoot() throws Exception {
    write("cgroup.controllers", "memory");
    write("node/memory.max", 1024 * MIB);
    write("node/agent/cgroup.procs", "0");

    try (CollectdAgent agent = start(root)) {
      String why = "no control group below " + root + " has process " + agent.pid();
      await().until(() -> agent.log().contains(why));
      assertThat(agent.isAlive()).isTrue();
    }
  }

  /** The first sample once the agent's process is in a group. */
  private JsonNode sampleOf(String procs, String... options) throws Exception {
    try (CollectdAgent agent = start(root, options);
        CollectdSamples samples = new CollectdSamples(broker.bootstrapServers())) {
      write(procs, agent.pid());
      samples.awaitMore(1);
      return samples.newest();
    }
  }

  private CollectdAgent start(Path cgroupRoot, String... options) throws Exception {
    return CollectdAgent.start(
        "node-it",
        broker.bootstrapServers(),
        Stream.concat(Stream.of("--cgroup-root", cgroupRoot.toString()), Stream.of(options))
            .toArray(String[]::new));
  }

  private void write(String file, Object content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content + "\n");
  }
}
