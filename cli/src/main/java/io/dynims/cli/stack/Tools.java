package io.dynims.cli.stack;

import io.dynims.local.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Command lines of Java programs, and tools that run to completion. */
final class Tools {

  private static final int TOOL_TIMEOUT_SECONDS = 120;

  private Tools() {}

  /**
   * A Java program that exits when its heap is exhausted.
   *
   * @param temporary the folder of its temporary files
   */
  static List<String> java(
      Path temporary, int heapMebibytes, List<String> options, List<String> program) {
    List<String> command = JavaCommand.light("-Xmx" + heapMebibytes + "m");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(options);
    command.addAll(program);
    return List.copyOf(command);
  }

  /** Whether a program of that name is on the path. */
  static boolean isInstalled(String program) {
    String path = System.getenv().getOrDefault("PATH", "/usr/bin");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /**
   * Checks that a jar of the project is there.
   *
   * @throws StackException if it is not; the message says how to build it
   */
  static void requireBuilt(Path jar) throws StackException {
    requireBuilt(jar, "./mvnw -DskipTests package");
  }

  /** The same for a program that another command builds. */
  static void requireBuilt(Path program, String build) throws StackException {
    if (!Files.exists(program)) {
      throw new StackException(program + " is missing; build it with " + build);
    }
  }

  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /**
   * Runs a tool to completion.
   *
   * @throws StackException if it fails; its output is at the end of the log
   */
  static void run(List<String> command, Path log)
      throws IOException, InterruptedException, StackException {
    run(command, log, TOOL_TIMEOUT_SECONDS);
  }

  /** The same with another limit; what the tool has started ends with it. */
  static void run(List<String> command, Path log, int timeoutSeconds)
      throws IOException, InterruptedException, StackException {
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
        throw new StackException(command.get(0) + ": still running after " + timeoutSeconds + " s");
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new StackException("preparing failed, exit code " + process.exitValue());
    }
  }
}
