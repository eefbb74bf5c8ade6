package io.dynims.experiments.bench.mpiio;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.local.AtExit;
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
public final class MpiPrograms implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long START_MILLIS = 10_000;
  private static final long RUN_SECONDS = 600;
  private static final long POLL_MILLIS = 20;

  private final Path built;
  private final MpiIoOptions options;
  private final Path memory;
  private final Path disk;
  private final List<Process> agents = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final AtExit atExit = new AtExit(this::end);
  private Process slow;
  private Namespaces namespaces;

  /**
   * A node.
   *
   * @param directory where its agent is
   * @param enter what starts a program in its network
   */
  private record Node(Path directory, List<String> enter) {}

  /**
   * Makes the folders, without starting anything.
   *
   * @param built the folder with the programs
   * @param scratch a folder on a local disk
   */
  public MpiPrograms(Path built, Path scratch, MpiIoOptions options) throws IOException {
    this.built = built;
    this.options = options;
    this.memory = Files.createTempDirectory(Path.of("/dev/shm"), "dynims-bench-mpiio");
    this.disk = Files.createDirectories(scratch);
    Files.createDirectories(local());
    Files.createDirectories(slowly());
  }

  /** The folder of the file as the local disk has it. */
  public Path local() {
    return disk.resolve("local");
  }

  /** The same folder, behind the slow file system. */
  public Path slowly() {
    return disk.resolve("slow");
  }

  /** The file of eight bytes in which the slow file system counts what it is asked for. */
  public Path counter() {
    return memory.resolve("slow-accesses");
  }

  public void startSlowFileSystem() throws IOException, InterruptedException {
    slow =
        start(
            List.of(
                built.resolve("slowfs").toString(),
                local().toString(),
                slowly().toString(),
                Integer.toString(options.rate()),
                Integer.toString(options.latencyMicros()),
                counter().toString()));
    Object device = Files.getAttribute(local(), "unix:dev");
    await(
        slow,
        () -> !device.equals(Files.getAttribute(slowly(), "unix:dev")),
        "the slow file system is not mounted");
  }

  /**
   * Starts agents with empty caches for so many nodes with so much memory each, after ending
   * earlier ones. Several nodes are network namespaces where {@link #hasNamespaces()}.
   */
  public void startAgents(int count, long bytesEach) throws IOException, InterruptedException {
    stopAgents();
    boolean apart = count > 1 && hasNamespaces();
    if (apart) {
      namespaces = new Namespaces(built, "mpiio", count);
    }
    for (int i = 0; i < count; i++) {
      List<String> enter = apart ? namespaces.enter(i) : List.of();
      Node node = new Node(memory.resolve("node" + i), enter);
      nodes.add(node);
      List<String> command = new ArrayList<>(enter);
      command.addAll(
          List.of(
              built.resolve("dynims-mpiio-agent").toString(),
              "--directory",
              node.directory().toString(),
              "--max",
              Long.toString(bytesEach),
              "--capacity",
              Long.toString(bytesEach),
              "--control-timeout",
              "0",
              "--listen",
              (apart ? Namespaces.address(i) : "127.0.0.1") + ":0"));
      Process agent = start(command);
      agents.add(agent);
      await(
          agent,
          () -> Files.exists(node.directory().resolve("control.sock")),
          "the agent in " + node.directory() + " is not ready");
    }
  }

  /** Open MPI starts no ranks in namespaces without a network of its own. */
  boolean hasNamespaces() {
    return options.mpi().equals("mpich") && Namespaces.arePossible();
  }

  /** Uses an agent on this machine that somebody else started, instead of own ones. */
  public void useAgent(Path directory) throws IOException, InterruptedException {
    stopAgents();
    nodes.add(new Node(directory, List.of()));
  }

  public void stopAgents() throws IOException, InterruptedException {
    for (int i = 0; i < agents.size(); i++) {
      end(agents.get(i));
      delete(nodes.get(i).directory());
    }
    agents.clear();
    nodes.clear();
    if (namespaces != null) {
      namespaces.close();
      namespaces = null;
    }
  }

  /** Writes a file of random bytes. */
  public void make(Path file, long bytes) throws IOException, InterruptedException {
    run(
        List.of(
            built.resolve("mpiio-bench-" + options.mpi()).toString(),
            "make",
            file.toString(),
            Long.toString(bytes)),
        "mpiio-bench make");
  }

  /** Runs {@code mpiio-bench} on ranks that are spread over the nodes in turn. */
  public MpiIoRun run(
      MpiIoSetup setup, int ranks, Map<String, String> environment, List<String> arguments)
      throws IOException, InterruptedException {
    return run("mpiio-bench", setup, ranks, environment, arguments);
  }

  /** Runs a program that prints what {@code mpiio-bench} does. */
  public MpiIoRun run(
      String program,
      MpiIoSetup setup,
      int ranks,
      Map<String, String> environment,
      List<String> arguments)
      throws IOException, InterruptedException {
    // Without it, mpirun of Open MPI 5.0 with PMIx 5.0.7 (Debian 13) crashes when it is given
    // several programs: https://github.com/open-mpi/ompi/issues/13303
    List<String> command =
        new ArrayList<>(List.of("env", "PMIX_MCA_pmdl=^ompi", "mpirun." + options.mpi()));
    if (options.mpi().equals("openmpi")) {
      command.addAll(List.of("--allow-run-as-root", "--oversubscribe"));
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (rank > 0) {
        command.add(":");
      }
      Node node = nodes.get(rank % nodes.size());
      command.addAll(List.of("-n", "1"));
      command.addAll(node.enter());
      command.add("env");
      if (setup.isCached()) {
        String kind = setup.isSimulated() ? "simulated" : "mpiio";
        command.add(
            "LD_PRELOAD=" + built.resolve("libdynims-" + kind + "-" + options.mpi() + ".so"));
        command.add("DYNIMS_MPIIO=" + node.directory());
        command.add("DYNIMS_MPIIO_PATHS=" + disk);
      }
      if (setup.isSimulated()) {
        command.add("DYNIMS_MPIIO_SIMULATE=" + MpiIoSetup.NVRAM_TIMES);
      }
      environment.forEach((name, value) -> command.add(name + "=" + value));
      command.add(built.resolve(program + "-" + options.mpi()).toString());
      command.addAll(arguments);
    }
    String output = run(command, String.join(" ", arguments));
    String line =
        output
            .lines()
            .filter(each -> each.startsWith("{"))
            .findFirst()
            .orElseThrow(() -> new IOException(String.join(" ", arguments) + ": " + output));
    return JSON.readValue(line, MpiIoRun.class);
  }

  private Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(memory.resolve("log").toFile())
        .start();
  }

  private String run(List<String> command, String what) throws IOException, InterruptedException {
    Path log = memory.resolve("run");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
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
    delete(memory);
    delete(disk);
  }

  private static void delete(Path root) throws IOException {
    if (!Files.exists(root)) {
      return; // That of an agent that did not start.
    }
    try (Stream<Path> paths = Files.walk(root)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    atExit.cancel();
    end();
  }
}
