package io.dynims.cli.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker and a real Alluxio on free ports; their jars must be built. */
class LocalStackIT {

  private static final List<String> PARTS = List.of("kafka", "alluxio-worker");

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private StackHome home;
  private StackSettings settings;
  private LocalStack stack;

  @BeforeEach
  void choosePorts() throws Exception {
    home = Stacks.home(folder.resolve("home"));
    List<String> given = new ArrayList<>(Stacks.freePorts());
    given.add("tier.max=64Mi");
    settings = Stacks.settings(home, given.toArray(String[]::new));
    stack = new LocalStack(home, settings, Machine.read(), new PrintStream(out, true, UTF_8));
  }

  @AfterEach
  void end() throws Exception {
    if (stack != null) {
      stack.down();
    }
    System.out.print(out.toString(UTF_8));
  }

  @Test
  void schedulesTheLoopInRealTimeIfPermitted() throws Exception {
    List<String> given = new ArrayList<>(Stacks.freePorts());
    given.add("loop.realtime=auto");
    settings = Stacks.settings(home, given.toArray(String[]::new));
    stack = new LocalStack(home, settings, Machine.read(), new PrintStream(out, true, UTF_8));

    stack.up(List.of("kafka", "alluxio-master"));

    String output = out.toString(UTF_8);
    assertThat(output).containsPattern("scheduling +(real-time|normal)");
    assertThat(stack.isRealTime()).isEqualTo(output.contains("real-time for the programs"));
    long master = byName().get("alluxio-master").pid();
    assertThat(ProcessId.of(master).orElseThrow().isRealTime()).isFalse();
  }

  @Test
  void startsRestartsADeadPartAndLeavesNothingBehind() throws Exception {
    stack.up(PARTS);

    Map<String, PartStatus> first = byName();
    for (String part : List.of("kafka", "alluxio-master", "alluxio-worker")) {
      assertThat(first.get(part).state()).isEqualTo(PartStatus.State.Running);
      assertThat(first.get(part).residentBytes()).isPositive();
    }
    assertThat(first.get("flink").state()).isEqualTo(PartStatus.State.Stopped);
    assertThat(home.tier(settings.tierParent())).isDirectory();
    assertThat(stack.isRealTime()).as("off, unless asked for").isFalse();
    for (String part : List.of("kafka", "alluxio-master", "alluxio-worker")) {
      assertThat(command(first.get(part).pid()))
          .contains("-Djava.io.tmpdir=" + home.temporary(part));
      assertThat(filesOfTheSystemsTemporaryFolder(first.get(part).pid())).as(part).isEmpty();
    }
    Path left = Files.createFile(home.temporary("alluxio-worker").resolve("left"));

    kill(first.get("alluxio-worker").pid());
    await().until(() -> byName().get("alluxio-worker").state() == PartStatus.State.Dead);
    stack.up(PARTS);

    Map<String, PartStatus> second = byName();
    assertThat(second.get("alluxio-worker").state()).isEqualTo(PartStatus.State.Running);
    assertThat(second.get("alluxio-worker").pid()).isNotEqualTo(first.get("alluxio-worker").pid());
    assertThat(second.get("kafka").pid()).isEqualTo(first.get("kafka").pid());
    assertThat(left).as("what the killed worker left").doesNotExist();

    kill(second.get("alluxio-master").pid());
    stack.down();

    for (PartStatus part : second.values()) {
      assertThat(part.pid() == 0 || ProcessId.of(part.pid()).filter(ProcessId::isAlive).isEmpty())
          .as(part.part() + " has ended")
          .isTrue();
    }
    assertThat(home.tier(settings.tierParent())).doesNotExist();
    assertThat(home.settingsInForce()).doesNotExist();
    assertThat(home.temporary()).doesNotExist();
    assertThat(home.log("kafka")).isNotEmptyFile();
    assertThat(stack.isUp()).isFalse();
  }

  @Test
  void stopsWhatItStartedWhenOnePartFails() throws Exception {
    home.create();
    // A file where the broker's data should be: it cannot start.
    Files.createDirectories(home.data("kafka").getParent());
    Files.createFile(home.data("kafka.formatted"));
    Files.createFile(home.data("kafka"));

    assertThatThrownBy(() -> stack.up(PARTS))
        .isInstanceOf(StackException.class)
        .hasMessageStartingWith("kafka: ")
        .hasMessageContaining("The end of " + home.log("kafka"));
    assertThat(stack.isUp()).isFalse();
    assertThat(home.tier(settings.tierParent())).doesNotExist();
  }

  private Map<String, PartStatus> byName() {
    return stack.status().stream().collect(Collectors.toMap(PartStatus::part, part -> part));
  }

  private static List<String> command(long pid) throws IOException {
    return List.of(Files.readString(Path.of("/proc/" + pid + "/cmdline")).split("\0", -1));
  }

  /** What a process has open or mapped there, except for the JVM's own counters. */
  private List<String> filesOfTheSystemsTemporaryFolder(long pid) throws IOException {
    List<String> files = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
      int path = line.indexOf('/');
      if (path >= 0) {
        files.add(line.substring(path));
      }
    }
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        target(descriptor).ifPresent(files::add);
      }
    }
    return files.stream()
        .filter(file -> file.startsWith("/tmp/") && !file.startsWith("/tmp/hsperfdata_"))
        .filter(file -> !file.startsWith(home.project() + "/"))
        .filter(file -> !file.startsWith(home.state() + "/"))
        .toList();
  }

  /** Returns what a descriptor leads to, or nothing if the process has closed it since. */
  private static Optional<String> target(Path descriptor) throws IOException {
    try {
      return Optional.of(Files.readSymbolicLink(descriptor).toString());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static void kill(long pid) {
    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
  }
}
