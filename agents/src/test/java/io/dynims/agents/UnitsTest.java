package io.dynims.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The systemd units, and the examples of their environment files. */
class UnitsTest {

  private static final Path FOLDER = Path.of("systemd");
  private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");

  /** What every program of a network service can do without. */
  private static final List<String> SANDBOX =
      List.of(
          "CapabilityBoundingSet=",
          "NoNewPrivileges=yes",
          "ProtectClock=yes",
          "ProtectControlGroups=yes",
          "ProtectHostname=yes",
          "ProtectKernelLogs=yes",
          "ProtectKernelModules=yes",
          "ProtectKernelTunables=yes",
          "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
          "RestrictNamespaces=yes",
          "RestrictRealtime=yes",
          "RestrictSUIDSGID=yes",
          "LockPersonality=yes",
          "SystemCallArchitectures=native",
          "SystemCallFilter=@system-service");

  @TempDir Path scratch;

  static Stream<Path> units() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".service")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("units")
  void systemdFindsNothingWrong(Path unit) throws Exception {
    // An instance, of a template; and programs that there are, since those of the unit are not
    // installed.
    String name = unit.getFileName().toString().replace("@.", "@alice.");
    String text = Files.readString(unit).replaceAll("(?m)^(Exec\\w+=-?)/\\S+", "$1/bin/true");
    Path copy = Files.writeString(scratch.resolve(name), text);

    assertThat(analyze(copy)).isEmpty();
  }

  static Stream<Path> dropIns() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".conf")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("dropIns")
  void systemdFindsNothingWrongWithADropIn(Path dropIn) throws Exception {
    Path unit =
        Files.writeString(scratch.resolve("with.service"), "[Service]\nExecStart=/bin/true\n");
    Path folder = Files.createDirectory(scratch.resolve("with.service.d"));
    Path copy = Files.copy(dropIn, folder.resolve("drop-in.conf"));

    assertThat(analyze(unit)).isEmpty();
    Files.writeString(copy, "\nProtectSystm=strict\n", StandardOpenOption.APPEND);
    assertThat(analyze(unit)).as("it is read").isNotEmpty();
  }

  @Test
  void systemdWouldFindAMistake() throws Exception {
    Path copy =
        Files.writeString(
            scratch.resolve("wrong.service"),
            "[Service]\nExecStart=/bin/true\nProtectSystm=strict\n");

    assertThat(analyze(copy)).anyMatch(line -> line.contains("ProtectSystm"));
  }

  /** What it says about this unit; it also says things about those of the machine. */
  private List<String> analyze(Path unit) throws Exception {
    Path log = scratch.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(
                Needs.installed(ANALYZE, "systemd").toString(),
                "verify",
                "--man=no",
                unit.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String name = unit.getFileName().toString();
    return Files.readAllLines(log).stream().filter(line -> line.contains(name)).toList();
  }

  @ParameterizedTest
  @MethodSource("units")
  void isSandboxed(Path unit) throws IOException {
    assertThat(Files.readAllLines(unit)).containsAll(SANDBOX);
  }

  @ParameterizedTest
  @MethodSource("units")
  void hasAnExampleOfItsEnvironmentFile(Path unit) throws IOException {
    Set<String> files = new TreeSet<>();
    Matcher matcher =
        Pattern.compile("(?m)^EnvironmentFile=/etc/dynims/(.*)$").matcher(Files.readString(unit));
    while (matcher.find()) {
      files.add(matcher.group(1));
    }

    assertThat(files)
        .hasSize(1)
        .allSatisfy(file -> assertThat(FOLDER.resolve("examples").resolve(file)).isRegularFile());
  }

  /** A wrong setting, which all programs end with 2 for, and what fails again and again. */
  @ParameterizedTest
  @MethodSource("units")
  void isNotRestartedForEver(Path unit) throws IOException {
    String text = Files.readString(unit);
    Matcher file = Pattern.compile("(?m)^EnvironmentFile=(.*)$").matcher(text);
    assertThat(file.find()).isTrue();

    assertThat(text.lines())
        .contains("AssertPathExists=" + file.group(1), "StartLimitBurst=300")
        .anyMatch(line -> line.matches("RestartPreventExitStatus=2( .*)? 203 .*"));
  }

  /** What follows a start is a part of it for systemd, which ends a unit that does not start. */
  @ParameterizedTest
  @MethodSource("units")
  void isNotEndedForWhatMayFollowItsStart(Path unit) throws IOException {
    String text = Files.readString(unit);
    Matcher after = Pattern.compile("(?m)^ExecStartPost=(.*)$").matcher(text);
    if (after.find()) {
      assertThat(after.group(1)).startsWith("-/usr/bin/timeout 300 ");
      assertThat(text.lines()).contains("TimeoutStartSec=10min");
    }
  }

  /**
   * Specifiers that systemd of Debian 11, Ubuntu 20.04 or RHEL 8 lacks, or that name too little.
   */
  @Test
  void usesNoSpecifierThatOldSystemdLacks() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file)).as("%s", file).doesNotContainPattern("=%[dl]\\b");
      }
    }
  }

  static Stream<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("examples"))) {
      return files.filter(file -> file.toString().endsWith(".env")).sorted().toList().stream();
    }
  }

  /**
   * systemd reads lines of a variable and comments, and takes a comment behind a value for a part
   * of it.
   */
  @ParameterizedTest
  @MethodSource("examples")
  void anExampleHasVariablesAndComments(Path example) throws IOException {
    assertThat(Files.readAllLines(example))
        .allMatch(line -> line.isBlank() || line.matches("#.*|DYNIMS_[A-Z_]+=[^#]*"));
  }

  /** A setting is one that its program has. */
  @ParameterizedTest
  @MethodSource("examples")
  void anExampleSetsWhatItsProgramKnows(Path example) throws IOException {
    List<String> known = new ArrayList<>();
    for (Path documented : documented(example.getFileName().toString())) {
      Matcher matcher = Pattern.compile("DYNIMS_[A-Z_]+").matcher(Files.readString(documented));
      while (matcher.find()) {
        known.add(matcher.group());
      }
    }
    Matcher matcher =
        Pattern.compile("(?m)^#? *(?:Environment=)?(DYNIMS_[A-Z_]+)=")
            .matcher(Files.readString(example));
    while (matcher.find()) {
      assertThat(known).contains(matcher.group(1));
    }
  }

  private static List<Path> documented(String example) {
    String runtime =
        "../adapter-runtime/src/main/resources/io/dynims/adapter/runtime/adapter.properties";
    return switch (example) {
      case "controller.env" ->
          List.of(
              Path.of(
                  "../controller/src/main/resources/io/dynims/controller/controller.properties"),
              FOLDER.resolve("dynims-controller.service"));
      case "flink-job.env" ->
          List.of(
              Path.of("../flink-job/src/main/resources/io/dynims/flink/flink-job.properties"),
              FOLDER.resolve("dynims-flink-job.service"));
      case "alluxio-adapter.env" ->
          List.of(
              Path.of(runtime),
              Path.of(
                  "../alluxio-adapter/src/main/resources/io/dynims/adapter/alluxio-adapter.properties"));
      case "redis-adapter.env" ->
          List.of(
              Path.of(runtime),
              Path.of(
                  "../redis-adapter/src/main/resources/io/dynims/redis/redis-adapter.properties"));
      case "memcached-adapter.env" ->
          List.of(
              Path.of(runtime),
              Path.of(
                  "../memcached-adapter/src/main/resources/io/dynims/memcached/memcached-adapter.properties"));
      case "mpiio-adapter.env" ->
          List.of(
              Path.of(runtime),
              Path.of(
                  "../mpiio-adapter/src/main/resources/io/dynims/mpiio/mpiio-adapter.properties"));
      case "collectd.env" -> List.of(FOLDER.resolve("dynims-collectd.service"));
      case "mpiio-agent.env" -> List.of(FOLDER.resolve("dynims-mpiio-agent@.service"));
      default -> throw new AssertionError("of which program is " + example + "?");
    };
  }
}
