package io.dynims.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.local.FreePorts.Range;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {

  private static final int PROCESSES = 4;
  private static final int PORTS_EACH = 200;

  /** Draws ports on many threads, prints them, and keeps them until standard input ends. */
  static final class Drawing {

    private Drawing() {}

    public static void main(String[] args) throws IOException {
      List<String> ports =
          IntStream.range(0, PORTS_EACH)
              .parallel()
              .mapToObj(i -> Integer.toString(FreePorts.next()))
              .toList();
      System.out.println(String.join(" ", ports));
      var unused = System.in.read();
    }
  }

  @Test
  void noTwoProcessesHaveTheSamePort() throws Exception {
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(draw());
      }
      List<String> ports = new ArrayList<>();
      for (Process process : processes) {
        ports.addAll(List.of(process.inputReader(UTF_8).readLine().split(" ", -1)));
      }
      assertThat(ports).hasSize(PROCESSES * PORTS_EACH).doesNotHaveDuplicates();
    } finally {
      for (Process process : processes) {
        process.getOutputStream().close();
        process.waitFor();
      }
    }
  }

  private static Process draw() throws Exception {
    List<String> classes = new ArrayList<>();
    for (Class<?> each : List.of(FreePorts.class, Drawing.class)) {
      classes.add(
          Path.of(each.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            String.join(File.pathSeparator, classes),
            Drawing.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void picksDifferentPortsThatCanBeBound() throws Exception {
    List<Integer> ports = IntStream.range(0, 50).mapToObj(i -> FreePorts.next()).toList();

    assertThat(ports).doesNotHaveDuplicates();
    for (int port : ports.subList(0, 5)) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertThat(socket.getLocalPort()).isEqualTo(port);
      }
    }
  }

  @Test
  void picksOutsideTheEphemeralRangeOfThisMachine() {
    Range ephemeral = FreePorts.ephemeral();
    int port = FreePorts.next();

    assertThat(port < ephemeral.first() || port > ephemeral.last()).isTrue();
  }

  @Test
  void parsesTheKernelsFormat() {
    assertThat(FreePorts.parse("32768\t60999\n")).isEqualTo(new Range(32_768, 60_999));
  }

  @Test
  void usesThePortsBelowTheEphemeralRangeOrElseThoseAbove() {
    assertThat(FreePorts.outside(new Range(32_768, 60_999))).isEqualTo(new Range(20_000, 32_767));
    assertThat(FreePorts.outside(new Range(10_000, 60_999))).isEqualTo(new Range(61_000, 65_535));
    assertThat(FreePorts.outside(new Range(1_024, 65_535))).isEqualTo(new Range(20_000, 65_535));
  }

  @Test
  void givesEachKeyAPortOfItsOwn() {
    assertThat(FreePorts.forKeys(List.of("b.port", "a.port")))
        .containsOnlyKeys("b.port", "a.port")
        .extractingByKeys("b.port", "a.port")
        .doesNotHaveDuplicates();
  }
}
