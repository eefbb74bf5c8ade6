package io.dynims.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.testing.Needs;
import io.dynims.core.wire.Topics;
import io.dynims.testing.CollectdAgent;
import io.dynims.testing.KafkaBroker;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a real collectd sends about the directory of a tier, and about the pressure on memory. */
class TierReaderIT {

  private static final long MIB = 1L << 20;

  private final Deque<Path> mounts = new ArrayDeque<>();
  private KafkaBroker broker;
  private Path root;
  private CollectdAgent agent;
  private CollectdSamples samples;

  @BeforeAll
  static void requireCollectd() throws Exception {
    RequiredCollectd.check();
  }

  @BeforeEach
  void start() throws Exception {
    broker = KafkaBroker.shared();
    broker.createTopic(Topics.METRICS, 1, Map.of());
    // collectd runs as another user.
    root = readable(Files.createTempDirectory(Path.of("/dev/shm"), "dynims-tier-it-"));
  }

  @AfterEach
  void stop() throws Exception {
    if (samples != null) {
      samples.close();
    }
    if (agent != null) {
      agent.close();
    }
    if (broker != null) {
      broker.close();
    }
    while (!mounts.isEmpty()) {
      run("umount", mounts.pop().toString());
    }
    if (root != null) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void sendsTheTierWithTheMemoryThatItTakes() throws Exception {
    Path tier = folder("alluxioworker");
    measure(tier);
    awaitUsed(0);
    assertThat(samples.newest().get("type_instance").asText()).isEqualTo("alluxio");

    // Others use this machine's memory, too: a try in which they do much of that tells nothing.
    await("the tier and the memory change in the same messages")
        .atMost(Duration.ofMinutes(3))
        .pollDelay(Duration.ZERO)
        .until(() -> memoryFollows(tier.resolve("1")));
  }

  /** Whether the memory goes with a file of 200 MiB that comes and goes. */
  private boolean memoryFollows(Path file) throws Exception {
    samples.awaitMore(2);
    long before = available(samples.newest());
    write(file, 200 * MIB);
    awaitUsed(200 * MIB);
    assertThat(CollectdSamples.value(samples.newest(), "shmem"))
        .as("tmpfs's pages, in the same message")
        .isGreaterThanOrEqualTo(200 * MIB);
    long with = available(samples.newest());
    Files.delete(file);
    awaitUsed(0);
    long without = available(samples.newest());
    return before - with > 150 * MIB && without - with > 150 * MIB;
  }

  @Test
  void addsUpWholeBlocksAndThoseBeingWritten() throws Exception {
    Path tier = folder("alluxioworker");
    Path beingWritten = folder("alluxioworker/.tmp_blocks/7").resolve("1-2");
    write(tier.resolve("1"), MIB);
    measure(root);
    awaitUsed(MIB);

    try (OutputStream block = Files.newOutputStream(beingWritten)) {
      block.write(new byte[(int) (2 * MIB)]);
      awaitUsed(3 * MIB);
      block.write(new byte[(int) (2 * MIB)]);
      awaitUsed(5 * MIB);
    }
    Files.move(beingWritten, tier.resolve("2"));
    long movedMillis = System.currentTimeMillis();
    awaitSample(
        sample -> CollectdSamples.timeMillis(sample) > movedMillis + 500, "a sample after that");
    assertThat(used(samples.newest())).isEqualTo(5 * MIB);

    Files.delete(tier.resolve("2"));
    awaitUsed(MIB);
  }

  @Test
  void refusesADirectoryThatIsNotInMemory() throws Exception {
    // The folder for temporary files, and the tree itself, can be in memory.
    measure(Path.of("/proc/self"));

    awaitSample(sample -> CollectdSamples.isUnknown(sample, "tier_used"), "no bytes of it");
    await("the reason").until(() -> agent.log().contains("which is not in memory"));
  }

  @Test
  void sendsMemoryWhileTheDirectoryIsMissingAndSaysSoOnce() throws Exception {
    Path tier = root.resolve("alluxioworker");
    measure(tier);
    samples.awaitMore(10);

    assertThat(samples.all())
        .allSatisfy(
            sample -> {
              assertThat(CollectdSamples.isUnknown(sample, "tier_used")).isTrue();
              assertThat(sample.get("type_instance").asText()).isEqualTo("alluxio");
              assertThat(CollectdSamples.value(sample, "mem_available")).isPositive();
            });
    folder("alluxioworker");
    awaitUsed(0);
    assertThat(agent.log().lines().filter(line -> line.contains("[warning] dynims_memory")))
        .singleElement()
        .asString()
        .endsWith(
            "dynims_memory: cannot measure the tier alluxio: [Errno 2] No such file or directory: '"
                + tier
                + "'");

    Files.delete(tier);

    awaitSample(sample -> CollectdSamples.isUnknown(sample, "tier_used"), "the tier is unknown");
    assertThat(agent.log().lines().filter(line -> line.contains("measure the tier alluxio now")))
        .singleElement()
        .asString()
        .contains("[notice] dynims_memory: can");
    assertThat(agent.log().lines().filter(line -> line.contains("[warning] dynims_memory")))
        .hasSize(2);
  }

  /** A sum without that folder would be too small: the tier would count as emptier than it is. */
  @Test
  void sendsNoBytesWhileAnyFolderOfTheTierCannotBeListed() throws Exception {
    Path tier = folder("alluxioworker");
    Path hidden = folder("alluxioworker/.tmp_blocks/0");
    for (int i = 1; i < 100; i++) {
      folder("alluxioworker/.tmp_blocks/" + i); // They are visited in turns.
    }
    write(hidden.resolve("1-2"), MIB);
    measure(tier);
    awaitUsed(MIB);

    Files.setPosixFilePermissions(hidden, Set.of());

    awaitSample(sample -> CollectdSamples.isUnknown(sample, "tier_used"), "the tier is unknown");
    int before = samples.all().size();
    samples.awaitMore(20);
    assertThat(samples.all().stream().skip(before))
        .allMatch(sample -> CollectdSamples.isUnknown(sample, "tier_used"));

    readable(hidden);
    awaitUsed(MIB);
  }

  @Test
  void asksAFileSystemThatIsTheTiersOwn() throws Exception {
    // Its owner only may list it.
    Path tier = mount("tier", "-t", "tmpfs", "-o", "size=256m,mode=0700", "tmpfs");
    measure(tier);
    awaitUsed(0);

    try (OutputStream unlinked = unlinked(tier.resolve("1"), 32 * MIB)) {
      awaitUsed(32 * MIB);
      unlinked.write(new byte[(int) MIB]);
      awaitUsed(33 * MIB);
    }
    awaitUsed(0);

    write(tier.resolve("2"), MIB);
    awaitUsed(MIB);
    // Nothing in it is held open.
    run("umount", mounts.pop().toString());
    awaitUsed(0);
  }

  /** As those of MPI libraries, browsers and data loaders in {@code /dev/shm}. */
  @Test
  void countsNoFilesOfOthersThatHaveNoName() throws Exception {
    Path top = mount("top", "-t", "tmpfs", "-o", "size=256m,mode=0755", "tmpfs");
    Path tier = folder("top/alluxioworker");
    try (OutputStream other = unlinked(top.resolve("other"), 8 * MIB)) {
      measure(tier);
      awaitUsed(0);
      write(tier.resolve("1"), 4 * MIB);
      awaitUsed(4 * MIB);
      other.write(new byte[(int) MIB]);
      write(folder("top/alluxioworker/.tmp_blocks/7").resolve("2-1"), MIB);
      awaitUsed(5 * MIB);
      write(top.resolve("neighbour"), 4 * MIB);
      Files.delete(tier.resolve("1"));
      awaitUsed(MIB);
    }
    samples.awaitMore(20);
    assertThat(used(samples.newest())).isEqualTo(MIB);
  }

  @Test
  void addsUpAFolderThatIsMountedWithoutItsFileSystem() throws Exception {
    Path part = folder("part");
    write(root.resolve("neighbour"), 4 * MIB);
    Path tier = mount("tier", "--bind", part.toString());
    measure(tier);

    write(tier.resolve("1"), MIB);

    awaitUsed(MIB);
  }

  @Test
  void sendsThePressureAsTheKernelCountsIt() throws Exception {
    Path pressure = Path.of("/proc/pressure/memory");
    boolean measured = Files.exists(pressure);
    long before = measured ? someMicros(pressure) : 0;
    measure(folder("alluxioworker"));
    samples.awaitMore(20);
    long after = measured ? someMicros(pressure) : 0;

    long last = before;
    for (JsonNode sample : samples.all()) {
      if (!measured) {
        assertThat(CollectdSamples.isUnknown(sample, "psi_some_micros")).isTrue();
        continue;
      }
      long micros = CollectdSamples.value(sample, "psi_some_micros");
      assertThat(micros).isBetween(last, after);
      last = micros;
    }
  }

  private static long someMicros(Path pressure) throws Exception {
    return Files.readAllLines(pressure).stream()
        .filter(line -> line.startsWith("some "))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf("total=") + 6)))
        .findFirst()
        .orElseThrow();
  }

  private void measure(Path directory) throws Exception {
    agent =
        CollectdAgent.start(
            "node-it",
            broker.bootstrapServers(),
            "--tier",
            "alluxio",
            "--tier-directory",
            directory.toString());
    samples = new CollectdSamples(broker.bootstrapServers());
  }

  private void awaitUsed(long bytes) {
    awaitSample(sample -> used(sample) == bytes, "the tier holds " + bytes + " bytes");
  }

  private void awaitSample(Predicate<JsonNode> predicate, String what) {
    await(what)
        .until(
            () -> {
              samples.awaitMore(1);
              return predicate.test(samples.newest());
            });
  }

  /** The bytes in the tier; -1 if unknown. */
  private static long used(JsonNode sample) {
    return CollectdSamples.isUnknown(sample, "tier_used")
        ? -1
        : CollectdSamples.value(sample, "tier_used");
  }

  private static long available(JsonNode sample) {
    return CollectdSamples.value(sample, "mem_available")
        + CollectdSamples.value(sample, "per_cpu_free");
  }

  /** A folder below the root that anyone may read. */
  private Path folder(String path) throws Exception {
    Path folder = root;
    for (Path name : Path.of(path)) {
      folder = folder.resolve(name);
      if (!Files.exists(folder)) {
        readable(Files.createDirectory(folder));
      }
    }
    return folder;
  }

  private static Path readable(Path folder) throws Exception {
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path write(Path file, long bytes) throws Exception {
    try (OutputStream out = Files.newOutputStream(file)) {
      fill(out, bytes);
    }
    return file;
  }

  /** An open file without a name: only its file system knows of it. */
  private static OutputStream unlinked(Path file, long bytes) throws Exception {
    OutputStream out = Files.newOutputStream(file);
    Files.delete(file);
    fill(out, bytes);
    return out;
  }

  private static void fill(OutputStream out, long bytes) throws Exception {
    byte[] mebibyte = new byte[(int) MIB];
    for (long written = 0; written < bytes; written += MIB) {
      out.write(mebibyte);
    }
  }

  /** Mounts something at a new folder. */
  private Path mount(String name, String... what) throws Exception {
    Needs.root("only root may mount");
    Path folder = folder(name);
    run(
        Stream.concat(Stream.concat(Stream.of("mount"), Stream.of(what)), Stream.of("" + folder))
            .toArray(String[]::new));
    mounts.push(folder);
    return folder;
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command), output).isZero();
  }
}
