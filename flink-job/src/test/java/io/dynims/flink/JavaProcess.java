package io.dynims.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, ended with the test. */
final class JavaProcess implements AutoCloseable {

  /** What is shipped, as the build has just made it. */
  static final String JOB_JAR = "target/dynims-flink-job.jar";

  static final String LIB = "target/lib/*";

  private final Process process;
  private final Path log;

  JavaProcess(Path log, String classPath, String... arguments) throws IOException {
    this.log = log;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", classPath));
    command.addAll(List.of(arguments));
    process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Sends SIGTERM; returns the exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end");
    }
    return process.exitValue();
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
