package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.StackException;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a fleet: a real broker, job and controller with nodes whose memory and tiers are simulated
 * in this process.
 */
final class FleetBench {

  private static final List<String> CONTROLLER_OPTIONS =
      List.of("--kafka.topics.partitions=1", "--history.in.all=5000");

  private static final long INTERVAL_MILLIS = 100;
  private static final long POLL_MILLIS = 200;
  private static final long GRACE_MILLIS = 10_000;

  private final BenchStack stack;
  private final FleetPrograms programs;
  private final FleetLoad load;
  private final PrintStream progress;

  /** A benchmark on a stack that is not running. */
  FleetBench(BenchStack stack, FleetLoad load, PrintStream progress) {
    this.stack = stack;
    this.programs = new FleetPrograms(stack);
    this.load = load;
    this.progress = progress;
  }

  /** Whose acks came, and what was sent and answered. */
  private record Records(Ticks applied, Ticks acked, Coverage served, Coverage servedInTime) {

    Records(int count) {
      this(new Ticks(count), new Ticks(count), new Coverage(count), new Coverage(count));
    }

    void begin() {
      long nowNanos = System.nanoTime();
      served.begin(nowNanos);
      servedInTime.begin(nowNanos);
    }

    void measure(boolean measure) {
      applied.measure(measure);
      acked.measure(measure);
    }
  }

  /**
   * Runs a fleet; the stack's parts keep running.
   *
   * @param warmUpSeconds the time before the measurement
   * @param seconds the duration of the measurement
   */
  FleetReport run(int count, int warmUpSeconds, int seconds)
      throws ConfigException, StackException, IOException, InterruptedException {
    ModelNodes nodes = new ModelNodes(count, load.shape(count));
    if (load.isInUse()) {
      nodes.fillTiers();
    }
    Records records = new Records(count);
    try (ModelAdapters adapters = new ModelAdapters(nodes, records.applied())) {
      writePolicy(stack, adapters.addresses());
      programs.start(CONTROLLER_OPTIONS);
      try (AckRecorder acks = acks(records);
          SampleSender sender = sender(nodes, records)) {
        records.begin();
        sender.start();
        await(stack, records.served(), count);
        progress.printf(
            "%d nodes: served after %.1f s, warming up for %d s%n",
            count, records.served().seconds(), warmUpSeconds);
        Thread.sleep(warmUpSeconds * 1_000L);
        return measure(count, seconds, sender, records);
      }
    }
  }

  private AckRecorder acks(Records records) throws ConfigException {
    return new AckRecorder(
        stack.settings().kafkaAddress(), records.acked(), records.served(), records.servedInTime());
  }

  private SampleSender sender(ModelNodes nodes, Records records)
      throws ConfigException, IOException {
    String brokers = stack.settings().kafkaAddress();
    SampleLink link =
        load.ownConnections()
            ? new OwnConnections(brokers, nodes.count())
            : new SharedConnection(brokers);
    return new SampleSender(
        nodes, link, INTERVAL_MILLIS, load.byException(), records.applied(), records.acked());
  }

  /** Names the nodes and their adapters in the policy of a stack. */
  static void writePolicy(BenchStack stack, List<URI> adapters) throws IOException {
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
  static void await(BenchStack stack, Coverage served, int count)
      throws ConfigException, StackException, InterruptedException {
    long limitMillis = stack.settings().readyTimeoutMillis();
    long startNanos = System.nanoTime();
    while (served.seconds() == null) {
      if (System.nanoTime() - startNanos > limitMillis * 1_000_000) {
        throw new UnservedException(served.nodes(), count, limitMillis);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private FleetReport measure(int count, int seconds, SampleSender sender, Records records)
      throws ConfigException, IOException, InterruptedException, StackException {
    progress.printf("%d nodes: measuring for %d s%n", count, seconds);
    Ticks acked = records.acked();
    sender.drainLateMicros();
    records.measure(true);
    Map<String, Double> before = programs.cpuSeconds();
    long beginNanos = System.nanoTime();
    Thread.sleep(seconds * 1_000L);
    double elapsed = (System.nanoTime() - beginNanos) / 1e9;
    Map<String, Double> after = programs.cpuSeconds();
    records.measure(false);
    double lateMillis = sender.drainLateMicros().getValueAtPercentile(99) / 1e3;
    awaitLast(acked);
    Map<String, Double> cores = new TreeMap<>();
    after.forEach((part, cpu) -> cores.put(part, round((cpu - before.get(part)) / elapsed, 3)));
    double plane = FleetPrograms.NAMES.stream().mapToDouble(cores::get).sum();
    return new FleetReport(
        count,
        load.ownConnections() ? count : 1,
        load.movingRatio(),
        load.traceName(),
        load.byException(),
        INTERVAL_MILLIS,
        records.served().seconds(),
        records.servedInTime().seconds(),
        round(elapsed, 1),
        records.applied().millis(),
        acked.millis(),
        acked.counted(),
        acked.missed(),
        Math.round((acked.counted() * 3 - acked.missed()) / elapsed),
        cores,
        round(plane / count, 6),
        programs.rssBytes(),
        round(lateMillis, 1));
  }

  /**
   * Waits a moment for the acks of the last samples: percentiles cannot be read while more come.
   */
  static void awaitLast(Ticks acked) throws InterruptedException {
    long untilNanos = System.nanoTime() + GRACE_MILLIS * 1_000_000;
    while (acked.missed() > 0 && System.nanoTime() < untilNanos) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static double round(double value, int digits) {
    double unit = Math.pow(10, digits);
    return Math.round(value * unit) / unit;
  }
}
