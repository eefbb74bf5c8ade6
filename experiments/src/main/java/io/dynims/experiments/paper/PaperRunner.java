package io.dynims.experiments.paper;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.CliContext;
import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.StackException;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.demo.Await;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes one run: starts what it needs, runs the job beside the load, and stops everything. */
final class PaperRunner {

  private static final String NAME = "dynims-paper";
  private static final String NODE = "paper-1";
  private static final Path VMSTAT = Path.of("/proc/vmstat");
  private static final long PAGE_BYTES = 4_096;
  private static final long POLL_MILLIS = 100;

  /** Far longer than any load takes. */
  private static final long LOAD_MILLIS = 3_600_000;

  private final CliContext context;
  private final PaperScale scale;
  private final Path data;
  private final NodeLoad hpcc;

  /**
   * Runs of one scale.
   *
   * @param data the data set's folder
   * @param hpcc the load that plays HPCC
   */
  PaperRunner(CliContext context, PaperScale scale, Path data, NodeLoad hpcc) {
    this.context = context;
    this.scale = scale;
    this.data = data;
    this.hpcc = hpcc;
  }

  /** Runs the load without anything beside it. */
  static RunResult loadAlone(String id, PaperScale scale, NodeLoad hpcc) throws Exception {
    try (MemoryGroup node = new MemoryGroup(NAME, scale.memoryBytes());
        NodeLoad.Running load = hpcc.start(node)) {
      long startMillis = System.currentTimeMillis();
      long swappedInBytes = swappedInBytes();
      long loadMillis = await(load);
      return new RunResult(
          id,
          startMillis,
          List.of(),
          "",
          0,
          loadMillis,
          node.outOfMemoryKills(),
          swappedInBytes() - swappedInBytes,
          List.of());
    }
  }

  /** How long a load took, when it has ended. */
  static long await(NodeLoad.Running load)
      throws InterruptedException, StackException, IOException {
    if (!Await.until(LOAD_MILLIS, POLL_MILLIS, () -> !load.isAlive())) {
      throw new StackException("the load that plays HPCC does not end");
    }
    return load.millis();
  }

  RunResult run(RunSpec spec) throws Exception {
    try (MemoryGroup node = new MemoryGroup(NAME, scale.memoryBytes());
        UnderStore store = new UnderStore(NAME, node.node(), data, spec.storeBytesPerSecond());
        BenchStack stack =
            new BenchStack(context.home(), context.environment(), false, context.err())) {
      startStack(stack, node, spec);
      store.throttle(
          pidOf(stack, "alluxio-worker"),
          context.home().project().resolve("experiments/spark/drop-cache"));
      return measure(spec, stack, node, store);
    }
  }

  /**
   * Everything runs in every setup, so that the control plane, which has machines of its own on a
   * cluster, takes the same processor time from all of them.
   */
  private void startStack(BenchStack stack, MemoryGroup node, RunSpec spec)
      throws ConfigException, StackException, IOException {
    stack.up(
        List.of(
            "node.name=" + NODE,
            "node.cgroup=" + node.node().folder(),
            "alluxio.ufs=" + data.getParent(),
            "alluxio.annotator=LRFU",
            "tier.max=" + spec.setup().tierBytes(scale),
            "policy.mode=" + (spec.setup() == MemorySetup.Elastic ? "Enforce" : "Off"),
            "policy.law=" + spec.law()));
  }

  private RunResult measure(RunSpec spec, BenchStack stack, MemoryGroup node, UnderStore store)
      throws Exception {
    long swappedInBytes = swappedInBytes();
    List<RunResult.Iteration> iterations = new ArrayList<>();
    String[] digest = {""};
    Path log = stack.home().log("spark");
    try (Beside beside = new Beside(spec, stack, node, store);
        SparkProcess spark =
            SparkProcess.start(
                context.home().project().resolve("experiments/spark/target"),
                options(spec),
                arguments(spec, stack),
                program -> node.node().command("spark", program),
                log)) {
      spark.await(
          line -> {
            switch (line.path("event").asText()) {
              case "started" -> beside.start();
              case "iteration" -> iterations.add(beside.iteration(line));
              case "result" -> digest[0] = line.path("digest").asText();
              default -> throw new StackException("unexpected output of the Spark job: " + line);
            }
          });
      long loadMillis = beside.loadMillis();
      return new RunResult(
          spec.id(),
          beside.startMillis,
          iterations,
          digest[0],
          beside.storeBytes(),
          loadMillis,
          node.outOfMemoryKills(),
          swappedInBytes() - swappedInBytes,
          beside.recorder.samples());
    }
  }

  /** What goes on while a job runs, from its first iteration on. */
  private final class Beside implements AutoCloseable {

    private final RunSpec spec;
    private final BenchStack stack;
    private final MemoryGroup node;
    private final UnderStore store;
    private long startMillis;
    private long storeBytesAtStart;
    private long storeBytesSoFar;
    private volatile NodeLoad.Running load;
    private NodeRecorder recorder;

    Beside(RunSpec spec, BenchStack stack, MemoryGroup node, UnderStore store) {
      this.spec = spec;
      this.stack = stack;
      this.node = node;
      this.store = store;
    }

    void start() throws IOException, ConfigException {
      startMillis = System.currentTimeMillis();
      storeBytesAtStart = store.readBytes();
      boolean elastic = spec.setup() == MemorySetup.Elastic;
      recorder =
          new NodeRecorder(
              node,
              stack.home().tier(stack.settings().tierParent()),
              elastic ? stack.clients().tier() : null,
              spec.setup().cachesInSpark() ? 0 : spec.setup().tierBytes(scale),
              startMillis,
              () -> load == null ? 0 : load.heldBytes());
    }

    RunResult.Iteration iteration(JsonNode line) throws IOException {
      if (spec.setup().besideHpcc() && line.path("iteration").asInt() == hpcc.afterIteration()) {
        load = hpcc.start(node);
      }
      long before = storeBytesSoFar;
      storeBytesSoFar = storeBytes();
      RunResult.Iteration iteration =
          new RunResult.Iteration(
              line.path("startMillis").asLong() - startMillis,
              line.path("millis").asLong(),
              storeBytesSoFar - before,
              line.path("loss").asDouble());
      context
          .err()
          .printf(
              "  iteration %d: %.1f s, %d MiB from the under store%n",
              line.path("iteration").asInt(),
              iteration.millis() / 1e3,
              iteration.storeBytes() >> 20);
      return iteration;
    }

    long storeBytes() throws IOException {
      return store.readBytes() - storeBytesAtStart;
    }

    /** Waits for the end of the load. */
    long loadMillis() throws InterruptedException, StackException, IOException {
      return load == null ? 0 : await(load);
    }

    @Override
    public void close() {
      if (recorder != null) {
        recorder.close();
      }
      if (load != null) {
        load.close();
      }
    }
  }

  private List<String> options(RunSpec spec) {
    MemorySetup setup = spec.setup();
    long heapBytes = setup.cachesInSpark() ? scale.cachingHeapBytes() : scale.sparkHeapBytes();
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + (heapBytes >> 20) + "m");
    options.add("-Xms" + (heapBytes >> 20) + "m");
    options.add("-Dio.netty.tryReflectionSetAccessible=true");
    options.add("-Dspark.master=local[2]");
    options.add("-Dspark.app.name=" + spec.job());
    options.add("-Dspark.ui.enabled=false");
    options.add("-Dspark.driver.host=127.0.0.1");
    options.add("-Dspark.driver.bindAddress=127.0.0.1");
    options.add("-Dspark.hadoop.fs.alluxio.impl=alluxio.hadoop.FileSystem");
    options.add("-Dspark.hadoop.io.file.buffer.size=131072");
    options.add("-Dalluxio.user.hostname=127.0.0.1");
    options.add("-Dalluxio.user.metrics.collection.enabled=false");
    if (setup.cachesInSpark()) {
      options.add("-Dalluxio.user.file.readtype.default=NO_CACHE");
      options.add("-Dspark.memory.storageFraction=0.56");
    }
    return options;
  }

  private List<String> arguments(RunSpec spec, BenchStack stack) throws ConfigException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                "--workload",
                spec.job().name(),
                "--data",
                "alluxio://127.0.0.1:"
                    + stack.settings().port("alluxio.master.port")
                    + "/"
                    + data.getFileName(),
                "--iterations",
                Integer.toString(spec.iterations())));
    if (spec.setup().cachesInSpark()) {
      arguments.add("--cache");
    }
    return arguments;
  }

  private static long pidOf(BenchStack stack, String part)
      throws ConfigException, StackException, IOException {
    return stack.stack().status().stream()
        .filter(status -> status.part().equals(part))
        .mapToLong(PartStatus::pid)
        .findFirst()
        .orElseThrow();
  }

  private static long swappedInBytes() throws IOException {
    for (String line : Files.readAllLines(VMSTAT)) {
      if (line.startsWith("pswpin ")) {
        return Long.parseLong(line.substring("pswpin ".length())) * PAGE_BYTES;
      }
    }
    return 0;
  }
}
