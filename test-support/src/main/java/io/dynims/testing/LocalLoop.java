package io.dynims.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.local.FreePorts;
import io.dynims.local.JavaCommand;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The local stack of {@code ./dynims} on free ports, as a user runs it: real collectd, Kafka,
 * Flink, controller, adapter and Alluxio. Its programs must be built.
 */
public final class LocalLoop implements AutoCloseable {

  private static final List<String> PORTS =
      List.of(
          "kafka.port",
          "kafka.controller.port",
          "alluxio.master.port",
          "alluxio.master.web.port",
          "alluxio.worker.port",
          "alluxio.worker.web.port",
          "flink.port",
          "controller.port",
          "adapter.port");

  /** Of /proc/PID/stat, counted from the one behind the name. */
  private static final int START_FIELD = 19;

  private final Path project;
  private final Path home;
  private final Map<String, Integer> ports;
  private final List<String> settings = new ArrayList<>();

  /**
   * Picks the ports and starts nothing.
   *
   * @param project the project's folder
   * @param home the stack's home
   * @param more settings of the stack, such as {@code node.name=hpc-1}
   */
  public LocalLoop(Path project, Path home, String... more) {
    this.project = project.toAbsolutePath().normalize();
    this.home = home.toAbsolutePath().normalize();
    this.ports = FreePorts.forKeys(PORTS);
    ports.forEach((key, port) -> settings.add(key + "=" + port));
    settings.addAll(List.of(more));
  }

  /** Starts the missing parts and returns when the stack works. */
  public void up() throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("up"));
    settings.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    run(arguments);
  }

  /** Runs the burst of {@code ./dynims demo} on the running stack. */
  public void demo() throws IOException, InterruptedException {
    run(List.of("demo"));
  }

  /** The address of a part, by the setting of its port, such as {@code controller.port}. */
  public URI address(String port) {
    return URI.create("http://127.0.0.1:" + ports.get(port));
  }

  /** The file of the stack's policy. */
  public Path policy() {
    return home.resolve("policies/alluxio.yaml");
  }

  /** Kills a part with SIGKILL and returns when it has ended. */
  public void kill(String part) throws IOException {
    // Its pid, its start in ticks since the boot, and the boot.
    String[] id = Files.readString(home.resolve("pids").resolve(part + ".pid")).split(" ", -1);
    ProcessHandle process = ProcessHandle.of(Long.parseLong(id[0])).orElseThrow();
    String stat = Files.readString(Path.of("/proc", id[0], "stat"), ISO_8859_1);
    if (!stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[START_FIELD].equals(id[1])) {
      throw new IOException(part + " has ended: its pid is that of another process");
    }
    process.destroyForcibly();
    process.onExit().join();
  }

  private void run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command =
        JavaCommand.light(
            "-Ddynims.project=" + project,
            "-jar",
            project.resolve("experiments/target/dynims-experiments.jar").toString());
    command.addAll(arguments);
    Path log = Files.createTempFile("dynims-loop", ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("DYNIMS_HOME", home.toString());
      int exitCode = builder.start().waitFor();
      String output = Files.readString(log, UTF_8);
      System.out.print(output);
      if (exitCode != 0) {
        throw new AssertionError(String.join(" ", command) + " failed:\n" + output);
      }
    } finally {
      Files.delete(log);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    run(List.of("down"));
  }
}
