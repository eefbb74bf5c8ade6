package io.dynims.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs the plugin as a process, with a fake kubectl on its PATH. */
final class Plugin {

  /** The plugin. Maven runs the tests in the module's folder. */
  static final Path SCRIPT = Path.of("kubectl-dynims").toAbsolutePath();

  /**
   * The result of a process.
   *
   * @param exitCode its exit code
   */
  record Ended(int exitCode, String out, String err) {}

  /** The environment besides PATH. */
  final Map<String, String> environment = new TreeMap<>(Map.of("LC_ALL", "C.UTF-8"));

  private final Path folder;
  private final Path bin;

  Plugin(Path folder) throws IOException {
    this.folder = folder;
    this.bin = Files.createDirectories(folder.resolve("bin"));
    environment.put("HOME", folder.toString());
  }

  /**
   * The Python 3 of this machine. It is asked for its path, because the python3 on PATH may be a
   * script that needs PATH itself.
   */
  static String python() {
    try {
      Process process =
          new ProcessBuilder("python3", "-c", "import sys; print(sys.executable)").start();
      String path = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      assertThat(process.waitFor()).isZero();
      return path;
    } catch (IOException e) {
      throw new AssertionError("python3 is missing: ./dynims install installs it", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Puts a kubectl on the PATH.
   *
   * @param cases its behaviour, as the branches of a shell switch on all arguments
   */
  void kubectl(String cases) throws IOException {
    Path kubectl = bin.resolve("kubectl");
    String script =
        """
        #!/bin/sh
        echo "$*" >>'%s'
        no() { echo "$1" >&2; exit 1; }
        case "$*" in
        %s
        *) no "the test expects no such call: $*" ;;
        esac
        """;
    Files.writeString(kubectl, script.formatted(folder.resolve("calls"), cases));
    Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwx------"));
  }

  /** The arguments of the calls of kubectl since the last call of this method. */
  List<String> calls() throws IOException {
    Path calls = folder.resolve("calls");
    List<String> lines = Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    Files.deleteIfExists(calls);
    return lines;
  }

  Ended run(String... arguments) throws IOException, InterruptedException {
    return end(List.of(SCRIPT.toString()), arguments);
  }

  /** Runs the plugin on a terminal, where stdout and stderr are the same. */
  Ended runOnTerminal(int columns, String... arguments) throws IOException, InterruptedException {
    environment.put("COLUMNS", "" + columns);
    environment.put("TERM", "xterm");
    String spawn =
        "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    return end(List.of("-c", spawn, python(), "" + SCRIPT), arguments);
  }

  private Ended end(List<String> python, String... arguments)
      throws IOException, InterruptedException {
    int exitCode = start(python, arguments).waitFor();
    return new Ended(exitCode, out(), Files.readString(folder.resolve("err"), UTF_8));
  }

  /** Starts the plugin without waiting for its end. */
  Process start(String... arguments) throws IOException {
    return start(List.of(SCRIPT.toString()), arguments);
  }

  /** Its output so far. */
  String out() throws IOException {
    return Files.readString(folder.resolve("out"), UTF_8);
  }

  private Process start(List<String> python, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(python());
    command.addAll(python);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    // Nothing else, so that no other kubectl is found.
    builder.environment().put("PATH", bin.toString());
    builder.redirectOutput(folder.resolve("out").toFile());
    builder.redirectError(folder.resolve("err").toFile());
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }
}
