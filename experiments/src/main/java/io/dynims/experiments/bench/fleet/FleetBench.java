package io.dynims.experiments.bench.fleet;

import io.dynims.experiments.bench.fleet.FleetReport.Percentiles;
import io.dynims.experiments.stack.LocalStack;
import io.dynims.experiments.stack.PartStatus;
import io.dynims.experiments.stack.StackException;
import io.dynims.experiments.stack.StackHome;
import io.dynims.experiments.stack.StackSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a fleet: the real broker, job and controller, and around them nodes whose memory and tiers
 * are simulated in this process.
 */
public final class FleetBench {

  private static final List<String> PARTS = List.of("kafka", "flink", "controller");
  private static final long INTERVAL_MILLIS = 100;
  private static final long SEED = 1;
  private static final long POLL_MILLIS = 200;
  private static final long GRACE_MILLIS = 2_000;
  private static final String GENERATOR = "generator";

  private final StackHome home;
  private final StackSettings settings;
  private final LocalStack stack;
  private final PrintStream progress;

  /** A bench in a stack of its own, of which no part runs. */
  public FleetBench(
      StackHome home, StackSettings settings, LocalStack stack, PrintStream progress) {
    this.home = home;
    this.settings = settings;
    this.stack = stack;
    this.progress = progress;
  }

  /**
   * Runs a fleet and ends everything again.
   *
   * @param warmSeconds before it is measured
   * @param seconds for which it is measured
   */
  public FleetReport run(int count, int warmSeconds, int seconds)
      throws StackException, IOException, InterruptedException {
    ModelNodes nodes = new ModelNodes(count, SEED);
    Ticks applied = new Ticks(count);
    Ticks acked = new Ticks(count);
    try (ModelAdapters adapters = new ModelAdapters(nodes, applied)) {
      writePolicy(adapters.addresses());
      stack.up(PARTS);
      try (AckWatch acks = new AckWatch(settings.kafkaAddress(), acked);
          SampleSender sender =
              new SampleSender(nodes, settings.kafkaAddress(), INTERVAL_MILLIS, applied, acked)) {
        sender.start();
        warm(warmSeconds);
        return measure(count, seconds, sender, applied, acked);
      }
    } finally {
      stack.down();
    }
  }

  private void writePolicy(List<URI> adapters) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: dynims.io/v1alpha1
            kind: MemoryTier
            metadata: {name: alluxio}
            spec:
              capacity: {max: %d}
              nodes:
                list:
            """
                .formatted(ModelNodes.MAX_TIER_BYTES));
    for (int node = 0; node < adapters.size(); node++) {
      text.append("      - {name: ").append(Samples.name(node));
      text.append(", adapter: \"").append(adapters.get(node)).append("\"}\n");
    }
    Files.createDirectories(home.policies());
    Files.writeString(home.policies().resolve("alluxio.yaml"), text);
  }

  private void warm(int warmSeconds) throws InterruptedException {
    progress.println("warming up for " + warmSeconds + " s");
    Thread.sleep(warmSeconds * 1_000L);
  }

  private FleetReport measure(
      int count, int seconds, SampleSender sender, Ticks applied, Ticks acked)
      throws IOException, InterruptedException, StackException {
    Map<String, Long> pids = pids();
    progress.println("measuring for " + seconds + " s");
    sender.takeLateMicros();
    applied.measure(true);
    acked.measure(true);
    Map<String, Double> before = cpuSeconds(pids);
    long beginNanos = System.nanoTime();
    Thread.sleep(seconds * 1_000L);
    double elapsed = (System.nanoTime() - beginNanos) / 1e9;
    Map<String, Double> after = cpuSeconds(pids);
    applied.measure(false);
    acked.measure(false);
    double lateMillis = sender.takeLateMicros().getValueAtPercentile(99) / 1e3;
    awaitLast(acked);
    Map<String, Double> cores = new TreeMap<>();
    after.forEach((part, cpu) -> cores.put(part, round((cpu - before.get(part)) / elapsed, 3)));
    double plane = PARTS.stream().mapToDouble(cores::get).sum();
    return new FleetReport(
        count,
        INTERVAL_MILLIS,
        round(elapsed, 1),
        Percentiles.of(applied.millis()),
        Percentiles.of(acked.millis()),
        acked.counted(),
        acked.missed(),
        Math.round((acked.counted() * 3 - acked.missed()) / elapsed),
        cores,
        round(plane / count, 6),
        rssBytes(pids),
        round(lateMillis, 1));
  }

  /** What was sent last takes a moment to come back. */
  private static void awaitLast(Ticks acked) throws InterruptedException {
    long untilNanos = System.nanoTime() + GRACE_MILLIS * 1_000_000;
    while (acked.missed() > 0 && System.nanoTime() < untilNanos) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Map<String, Long> pids() throws StackException {
    Map<String, Long> pids = new TreeMap<>();
    for (PartStatus status : stack.status()) {
      if (PARTS.contains(status.part())) {
        if (status.pid() == 0) {
          throw new StackException(status.part() + " has ended; see " + home.log(status.part()));
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
      String stat = Files.readString(Path.of("/proc/" + pid.getValue() + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      seconds.put(pid.getKey(), (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0);
    }
    return seconds;
  }

  private static Map<String, Long> rssBytes(Map<String, Long> pids) throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    for (var pid : pids.entrySet()) {
      long kibibytes =
          Files.readString(Path.of("/proc/" + pid.getValue() + "/status"))
              .lines()
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .sum();
      bytes.put(pid.getKey(), kibibytes << 10);
    }
    return bytes;
  }

  private static double round(double value, int digits) {
    double unit = Math.pow(10, digits);
    return Math.round(value * unit) / unit;
  }
}
