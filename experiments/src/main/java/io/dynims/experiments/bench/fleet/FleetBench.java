package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.ProcessUsage;
import io.dynims.cli.stack.StackException;
import io.dynims.core.config.ConfigException;
import io.dynims.experiments.bench.BenchStack;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a fleet: a real broker, job and controller with nodes whose memory and tiers are simulated
 * in this process.
 */
final class FleetBench {

  private static final List<String> PARTS = List.of("kafka", "flink", "controller");
  private static final long INTERVAL_MILLIS = 100;
  private static final long SEED = 1;
  private static final long POLL_MILLIS = 200;
  private static final long GRACE_MILLIS = 2_000;
  private static final String GENERATOR = "generator";
  private static final String MACHINE = "machine";

  /**
   * Options for a large fleet: heaps for thousands of nodes, the optimizing compiler, and some
   * milliseconds of batching.
   */
  private static final List<String> SETTINGS =
      List.of(
          "controller.java.options=-Xmx768m -Xmn384m -XX:TieredStopAtLevel=4",
          "controller.options=--kafka.topics.partitions=1 --history.in.all=5000",
          "flink.java.options=-Xmx768m -XX:TieredStopAtLevel=4",
          "flink.options=--kafka.fetch.min=50000 --kafka.fetch.wait=10ms --linger=5ms",
          "kafka.java.options=-Xmx768m -XX:TieredStopAtLevel=4");

  private final BenchStack stack;
  private final boolean ownConnections;
  private final Double movingRatio;
  private final PrintStream progress;

  /**
   * A benchmark on a stack that is not running.
   *
   * @param ownConnections whether each node has a connection of its own to the broker
   * @param movingRatio the share of the nodes that move at a time, while all report by exception;
   *     null if all move and send every sample
   */
  FleetBench(BenchStack stack, boolean ownConnections, Double movingRatio, PrintStream progress) {
    this.stack = stack;
    this.ownConnections = ownConnections;
    this.movingRatio = movingRatio;
    this.progress = progress;
  }

  /**
   * Runs a fleet; the stack's parts keep running.
   *
   * @param warmUpSeconds the time before the measurement
   * @param seconds the duration of the measurement
   */
  FleetReport run(int count, int warmUpSeconds, int seconds)
      throws ConfigException, StackException, IOException, InterruptedException {
    ModelNodes nodes = new ModelNodes(count, SEED, movingRatio == null ? 1 : movingRatio);
    Ticks applied = new Ticks(count);
    Ticks acked = new Ticks(count);
    try (ModelAdapters adapters = new ModelAdapters(nodes, applied)) {
      writePolicy(adapters.addresses());
      stack.up(SETTINGS, PARTS.toArray(String[]::new));
      String brokers = stack.settings().kafkaAddress();
      try (AckRecorder acks = new AckRecorder(brokers, acked);
          SampleSender sender =
              new SampleSender(
                  nodes,
                  link(brokers, count),
                  INTERVAL_MILLIS,
                  movingRatio != null,
                  applied,
                  acked)) {
        sender.start();
        await(acks, count);
        progress.printf("%d nodes: warming up for %d s%n", count, warmUpSeconds);
        Thread.sleep(warmUpSeconds * 1_000L);
        return measure(count, seconds, sender, applied, acked);
      }
    }
  }

  private SampleLink link(String brokers, int count) throws IOException {
    return ownConnections ? new OwnConnections(brokers, count) : new SharedConnection(brokers);
  }

  private void writePolicy(List<URI> adapters) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: dynims.io/v1alpha1
            kind: MemoryTier
            metadata: {name: alluxio}
            spec:
              mode: Enforce
              capacity: {max: %d}
              nodes:
                list:
            """
                .formatted(ModelNodes.MAX_TIER_BYTES));
    for (int node = 0; node < adapters.size(); node++) {
      text.append("      - {name: ").append(NodeSamples.name(node));
      text.append(", adapter: \"").append(adapters.get(node)).append("\"}\n");
    }
    Files.createDirectories(stack.home().policies());
    Files.writeString(stack.home().policies().resolve("alluxio.yaml"), text);
  }

  /** Waits until a sample of every node has been acknowledged. */
  private void await(AckRecorder acks, int count)
      throws ConfigException, StackException, InterruptedException {
    long limitMillis = stack.settings().readyTimeoutMillis();
    long startNanos = System.nanoTime();
    while (acks.answeredNodes() < count) {
      if (System.nanoTime() - startNanos > limitMillis * 1_000_000) {
        throw new UnservedException(acks.answeredNodes(), count, limitMillis);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private FleetReport measure(
      int count, int seconds, SampleSender sender, Ticks applied, Ticks acked)
      throws ConfigException, IOException, InterruptedException, StackException {
    Map<String, Long> pids = pids();
    progress.printf("%d nodes: measuring for %d s%n", count, seconds);
    sender.drainLateMicros();
    applied.measure(true);
    acked.measure(true);
    Map<String, Double> before = cpuSeconds(pids);
    long beginNanos = System.nanoTime();
    Thread.sleep(seconds * 1_000L);
    double elapsed = (System.nanoTime() - beginNanos) / 1e9;
    Map<String, Double> after = cpuSeconds(pids);
    applied.measure(false);
    acked.measure(false);
    double lateMillis = sender.drainLateMicros().getValueAtPercentile(99) / 1e3;
    awaitLast(acked);
    Map<String, Double> cores = new TreeMap<>();
    after.forEach((part, cpu) -> cores.put(part, round((cpu - before.get(part)) / elapsed, 3)));
    double plane = PARTS.stream().mapToDouble(cores::get).sum();
    return new FleetReport(
        count,
        ownConnections ? count : 1,
        movingRatio,
        INTERVAL_MILLIS,
        round(elapsed, 1),
        applied.millis(),
        acked.millis(),
        acked.counted(),
        acked.missed(),
        Math.round((acked.counted() * 3 - acked.missed()) / elapsed),
        cores,
        round(plane / count, 6),
        rssBytes(pids),
        round(lateMillis, 1));
  }

  /** Waits a moment for the acks of the last samples. */
  private static void awaitLast(Ticks acked) throws InterruptedException {
    long untilNanos = System.nanoTime() + GRACE_MILLIS * 1_000_000;
    while (acked.missed() > 0 && System.nanoTime() < untilNanos) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Map<String, Long> pids() throws ConfigException, StackException {
    Map<String, Long> pids = new TreeMap<>();
    for (PartStatus status : stack.stack().status()) {
      if (PARTS.contains(status.part())) {
        if (status.pid() == 0) {
          throw new StackException(
              status.part() + " has ended; see " + stack.home().log(status.part()));
        }
        pids.put(status.part(), status.pid());
      }
    }
    pids.put(GENERATOR, ProcessHandle.current().pid());
    return pids;
  }

  private static Map<String, Double> cpuSeconds(Map<String, Long> pids) throws IOException {
    Map<String, Double> seconds = new TreeMap<>();
    for (var pid : pids.entrySet()) {
      seconds.put(pid.getKey(), ProcessUsage.of(pid.getValue()).cpuSeconds());
    }
    seconds.put(MACHINE, machineSeconds());
    return seconds;
  }

  /** The time of all programs and the kernel: user, nice, system, and both kinds of interrupts. */
  private static double machineSeconds() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +", -1);
    long ticks = 0;
    for (int field : new int[] {1, 2, 3, 6, 7}) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks / 100.0;
  }

  private static Map<String, Long> rssBytes(Map<String, Long> pids) throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    for (var pid : pids.entrySet()) {
      bytes.put(pid.getKey(), ProcessUsage.of(pid.getValue()).residentBytes());
    }
    return bytes;
  }

  private static double round(double value, int digits) {
    double unit = Math.pow(10, digits);
    return Math.round(value * unit) / unit;
  }
}
