package io.dynims.experiments.bench.tier;

import io.dynims.local.AtExit;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program beside the stack through which its files can be reached: Alluxio's, or another. */
final class AccessProgram implements AutoCloseable {

  private static final long START_MILLIS = 60_000;
  private static final long END_MILLIS = 20_000;
  private static final long POLL_MILLIS = 50;

  /** Whether the program can be used. */
  interface Probe {
    boolean isReady() throws IOException;
  }

  private final Process process;
  private final AtExit atExit;

  private AccessProgram(Process process) {
    this.process = process;
    this.atExit = new AtExit(process::destroy);
  }

  /**
   * Starts one and waits until it can be used.
   *
   * @throws IOException if it ends or takes longer than a minute
   */
  static AccessProgram start(List<String> command, Path log, Probe probe)
      throws IOException, InterruptedException {
    AccessProgram program =
        new AccessProgram(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start());
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    while (!probe.isReady()) {
      if (!program.process.isAlive() || System.nanoTime() > deadline) {
        program.close();
        throw new IOException(command.get(command.size() - 1) + " has not started; see " + log);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return program;
  }

  /**
   * The command line of one of Alluxio's programs.
   *
   * @param library a folder with its jars
   * @param configuration the folder of alluxio-site.properties
   */
  static List<String> alluxio(Path library, Path configuration, List<String> program)
      throws IOException {
    if (!Files.isDirectory(library)) {
      throw new IOException(library + " is missing; build it with ./mvnw -DskipTests package");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Stream.of(
            "java.lang",
            "java.nio",
            "java.util",
            "jdk.internal.ref",
            "sun.nio.ch",
            "sun.security.x509")
        .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx384m",
            // Half an hour of reads that are broken off, as those at random are, fills 256 MiB.
            "-XX:MaxDirectMemorySize=1g",
            "-Dalluxio.site.conf.dir=" + configuration,
            "-Dalluxio.conf.dir=" + configuration,
            "-Dalluxio.home=" + configuration.getParent(),
            "-Dalluxio.logs.dir=" + configuration.getParent().resolve("logs"),
            "-Dalluxio.logger.type=Console",
            "-cp",
            library + "/*"));
    command.addAll(program);
    return command;
  }

  /**
   * Does nothing while it runs.
   *
   * @throws IOException if it has ended, so that what failed is not taken for what it refuses
   */
  void check(AccessKind kind) throws IOException {
    if (!process.isAlive()) {
      throw new IOException(kind.label() + " has ended with " + process.exitValue());
    }
  }

  /** Waits for the end of a program that ends by itself. */
  static void run(List<String> command, Path log) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException(String.join(" ", command) + " ends with " + status + "; see " + log);
    }
  }

  /** Ends it; a mount of its goes with it. */
  @Override
  public void close() throws InterruptedException {
    atExit.cancel();
    process.destroy();
    if (!process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
