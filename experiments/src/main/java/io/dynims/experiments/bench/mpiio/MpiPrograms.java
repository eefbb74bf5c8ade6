package io.dynims.experiments.bench.mpiio;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.core.config.AtExit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The cache's agents, one for each node, a slow file system, and the programs that use them. What
 * is started here ends with {@link #close}, or with this process.
 */
final class MpiPrograms implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long START_MILLIS = 10_000;
  private static final long RUN_SECONDS = 600;
  private static final long POLL_MILLIS = 20;

  private final Path built;
  private final MpiIoOptions options;
  private final Path memory;
  private final Path disk;
  private final List<Process> agents = new ArrayList<>();
  private final List<Path> nodes = new ArrayList<>();
  private final AtExit atExit = new AtExit(this::end);
  private Process slow;

  /**
   * Makes the folders, without starting anything.
   *
   * @param built the folder with the programs
   * @param scratch a folder on a local disk
   */
  MpiPrograms(Path built, Path scratch, MpiIoOptions options) throws IOException {
    this.built = built;
    this.options = options;
    this.memory = Files.createTempDirectory(Path.of("/dev/shm"), "dynims-bench-mpiio");
    this.disk = Files.createDirectories(scratch);
    Files.createDirectories(local());
    Files.createDirectories(slowly());
  }

  /** The folder of the file as the local disk has it. */
  Path local() {
    return disk.resolve("local");
  }

  /** The same folder, behind the slow file system. */
  Path slowly() {
    return disk.resolve("slow");
  }

  void startSlowFileSystem() throws IOException, InterruptedException {
    slow =
        start(
            Map.of(),
            List.of(
                built.resolve("slowfs").toString(),
                local().toString(),
                slowly().toString(),
                Integer.toString(options.rate()),
                Integer.toString(options.latencyMicros())));
    Object device = Files.getAttribute(local(), "unix:dev");
    await(
        slow,
        () -> !device.equals(Files.getAttribute(slowly(), "unix:dev")),
        "the slow file system is not mounted");
  }

  /** Starts agents for so many nodes with so much memory each, after ending earlier ones. */
  void startAgents(int count, long bytesEach) throws IOException, InterruptedException {
    stopAgents();
    for (int i = 0; i < count; i++) {
      Path node = memory.resolve("node" + i);
      Process agent =
          start(
              Map.of(),
              List.of(
                  built.resolve("dynims-mpiio-agent").toString(),
                  "--directory",
                  node.toString(),
                  "--max",
                  Long.toString(bytesEach),
                  "--capacity",
                  Long.toString(bytesEach),
                  "--control-timeout",
                  "0",
                  "--listen",
                  "127.0.0.1:0"));
      agents.add(agent);
      nodes.add(node);
      await(
          agent,
          () -> Files.exists(node.resolve("control.sock")),
          "the agent in " + node + " is not ready");
    }
  }

  void stopAgents() throws InterruptedException {
    for (Process agent : agents) {
      end(agent);
    }
    agents.clear();
    nodes.clear();
  }

  /** Writes a file of random bytes. */
  void make(Path file, long bytes) throws IOException, InterruptedException {
    run(
        Map.of(),
        List.of(bench(), "make", file.toString(), Long.toString(bytes)),
        "mpiio-bench make");
  }

  /** Runs a program on ranks that are spread over the nodes in turn. */
  MpiIoRun run(MpiIoSetup setup, int ranks, Map<String, String> environment, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mpirun." + options.mpi()));
    if (options.mpi().equals("openmpi")) {
      command.addAll(List.of("--allow-run-as-root", "--oversubscribe"));
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (rank > 0) {
        command.add(":");
      }
      command.addAll(List.of("-n", "1", "env"));
      if (setup.isCached()) {
        command.add("LD_PRELOAD=" + built.resolve("libdynims-mpiio-" + options.mpi() + ".so"));
        command.add("DYNIMS_MPIIO=" + nodes.get(rank % nodes.size()));
        command.add("DYNIMS_MPIIO_PATHS=" + disk);
      }
      if (setup.isSimulated()) {
        command.add("DYNIMS_MPIIO_SIMULATE=" + MpiIoSetup.NVRAM_TIMES);
      }
      environment.forEach((name, value) -> command.add(name + "=" + value));
      command.add(bench());
      command.addAll(arguments);
    }
    String output = run(Map.of(), command, String.join(" ", arguments));
    String line =
        output
            .lines()
            .filter(each -> each.startsWith("{"))
            .findFirst()
            .orElseThrow(() -> new IOException(String.join(" ", arguments) + ": " + output));
    return JSON.readValue(line, MpiIoRun.class);
  }

  private String bench() {
    return built.resolve("mpiio-bench-" + options.mpi()).toString();
  }

  private Process start(Map<String, String> environment, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(memory.resolve("log").toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private String run(Map<String, String> environment, List<String> command, String what)
      throws IOException, InterruptedException {
    Path log = memory.resolve("run");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    AtExit ending = new AtExit(process::destroyForcibly);
    boolean ended = process.waitFor(RUN_SECONDS, TimeUnit.SECONDS);
    ending.cancel();
    if (!ended) {
      process.destroyForcibly();
      throw new IOException(what + " takes longer than " + RUN_SECONDS + " s");
    }
    String output = Files.readString(log, UTF_8);
    if (process.exitValue() != 0) {
      throw new IOException(what + " ends with " + process.exitValue() + ": " + output);
    }
    return output;
  }

  /** A condition that may fail to be looked at. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private void await(Process process, Condition condition, String otherwise)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    while (!condition.holds()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IOException(otherwise + ": " + Files.readString(memory.resolve("log"), UTF_8));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(START_MILLIS, TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  private void end() throws IOException, InterruptedException {
    stopAgents();
    if (slow != null) {
      end(slow);
    }
    for (Path root : List.of(memory, disk)) {
      try (Stream<Path> paths = Files.walk(root)) {
        paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      }
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    atExit.cancel();
    end();
  }
}
