package io.dynims.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.node.MachineMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The agent and the guard read the same of a machine: of containers whose {@code /proc} is partly
 * the host's, of sandboxes, of machines with other pages.
 */
class MemoryReadersTest {

  private static final Path FILES = Path.of("src/test/resources/memory");

  /** What {@code readings.tsv} says of files: name, bytes of a page, and what is read. */
  private record Case(String name, long pageBytes, String first, String second) {

    private static Case of(String line) {
      String[] fields = line.split("\t", -1);
      return new Case(fields[0], Long.parseLong(fields[1]), fields[2], fields[3]);
    }

    private void isRead(String reading) {
      String[] fields = reading.split("\t", -1);
      assertThat(fields[0]).as(name).isEqualTo(first);
      if (first.equals("refused")) {
        assertThat(fields[1]).as(name).contains(second);
      } else {
        assertThat(fields[1]).as("in use of " + name).isEqualTo(second);
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @TempDir private Path root;

  private static List<Case> cases() throws IOException {
    return Files.readAllLines(FILES.resolve("readings.tsv")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(Case::of)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theAgentReads(Case expected) throws Exception {
    Process python =
        new ProcessBuilder(
                "python3",
                FILES.resolve("readings.py").toString(),
                "collectd",
                FILES.resolve(expected.name()).toString(),
                Long.toString(expected.pageBytes()))
            .redirectErrorStream(true)
            .start();
    String reading = new String(python.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(python.waitFor()).as(reading).isZero();
    expected.isRead(reading);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theGuardReads(Case expected) throws IOException {
    copy(expected.name());
    pages(expected.pageBytes());
    try (MachineMemory memory = new MachineMemory(root)) {
      memory.sample(true);
      expected.isRead(memory.totalBytes() + "\t" + memory.usedBytes());
    } catch (IOException e) {
      expected.isRead("refused\t" + e.getMessage());
    }
  }

  /**
   * collectd of RHEL 8 and SLES 15 has Python 3.6: no newer syntax, and no function of later ones.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "collectd/dynims_memory.py",
        "collectd/dynims_tier.py",
        "../kubectl-dynims/kubectl-dynims"
      })
  void needsNoPythonAfter36(String script) throws Exception {
    String parse = "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 6))";
    Process python =
        new ProcessBuilder("python3", "-c", parse, script).redirectErrorStream(true).start();
    String said = new String(python.getInputStream().readAllBytes(), UTF_8);
    assertThat(python.waitFor()).as(said).isZero();

    assertThat(Files.readString(Path.of(script)))
        .doesNotContainPattern(
            "\\btime\\.\\w+_ns\\(|\\bfromisoformat\\(|add_subparsers\\(.*required")
        .doesNotContainPattern("subprocess\\.\\w+\\(.*(capture_output|text)=");
  }

  @Test
  void aMachineMayGetMemoryWhileItRuns() throws IOException {
    copy("swap");
    pages(4096);
    try (MachineMemory memory = new MachineMemory(root)) {
      memory.sample(true);
      long before = memory.totalBytes();

      copy("pages-of-16-KiB"); // Zones with pages of another size are another machine's.
      memory.sample(true);

      assertThat(memory.totalBytes()).isEqualTo(2 * before);
      assertThat(memory.usedBytes()).isEqualTo((16_777_216L - 1_200_000) * 1024);
    }
  }

  private void copy(String name) throws IOException {
    Files.createDirectories(root.resolve("proc"));
    for (String file : List.of("meminfo", "zoneinfo")) {
      Path source = FILES.resolve(name + "." + file);
      if (Files.exists(source)) {
        Files.write(root.resolve("proc").resolve(file), Files.readAllBytes(source));
      }
    }
  }

  private void pages(long bytes) throws IOException {
    ByteBuffer auxv = ByteBuffer.allocate(6 * Long.BYTES).order(ByteOrder.nativeOrder());
    auxv.putLong(16).putLong(6).putLong(6).putLong(bytes).putLong(0).putLong(0);
    Files.createDirectories(root.resolve("proc/self"));
    Files.write(root.resolve("proc/self/auxv"), auxv.array());
  }
}
