package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.ProcessUsage;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackHome;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Measures what a fleet costs one controller, and several that share it; and kills one of them
 * under the load.
 *
 * @param home the home of the user's stack
 * @param environment the environment variables
 * @param nodes the number of nodes; all of them move and send every sample
 * @param controllers how many controllers share the fleet, at least 2
 * @param warmUpSeconds the time before each measurement
 * @param seconds the duration of each measurement
 */
public record SharedFleetBench(
    StackHome home,
    Map<String, String> environment,
    int nodes,
    int controllers,
    int warmUpSeconds,
    int seconds) {

  private static final String CONTROLLER = "controller";
  private static final long INTERVAL_MILLIS = 100;
  private static final long SILENCE_NANOS = 3_000_000_000L;
  private static final long TAKEOVER_NANOS = 30_000_000_000L;

  private static final List<String> ALONE =
      List.of("--kafka.topics.partitions=12", "--history.in.all=5000");

  private static final List<String> SHARING =
      Stream.concat(ALONE.stream(), Stream.of("--controllers.share=true", "--kafka.lease=bench"))
          .toList();

  /** Measures one controller first, and then several, each time on a stack of its own. */
  public Findings run(PrintStream progress)
      throws ConfigException, StackException, IOException, InterruptedException {
    SharedFleetReport.Run alone;
    try (BenchStack stack = new BenchStack(home, environment, false, progress)) {
      alone = run(stack, 1, progress);
    }
    try (BenchStack stack = new BenchStack(home, environment, false, progress)) {
      return new SharedFleetReport(nodes, alone, run(stack, controllers, progress))
          .findings(warmUpSeconds);
    }
  }

  private SharedFleetReport.Run run(BenchStack stack, int count, PrintStream progress)
      throws ConfigException, StackException, IOException, InterruptedException {
    ModelNodes model = new ModelNodes(nodes, FleetLoad.ALL_MOVE.shape(nodes));
    Ticks applied = new Ticks(nodes);
    Ticks acked = new Ticks(nodes);
    Coverage served = new Coverage(nodes);
    try (ModelAdapters adapters = new ModelAdapters(model, applied);
        FurtherControllers further = new FurtherControllers(stack)) {
      FleetBench.writePolicy(stack, adapters.addresses());
      List<String> options = count == 1 ? ALONE : SHARING;
      FleetPrograms programs = new FleetPrograms(stack);
      programs.start(options);
      for (int i = 2; i <= count; i++) {
        further.start(CONTROLLER + "-" + i, FleetPrograms.JAVA_OPTIONS, options);
      }
      String brokers = stack.settings().kafkaAddress();
      try (AckRecorder acks = new AckRecorder(brokers, acked, served, new Coverage(nodes));
          SampleSender sender =
              new SampleSender(
                  model, new SharedConnection(brokers), INTERVAL_MILLIS, false, applied, acked)) {
        served.begin(System.nanoTime());
        sender.start();
        FleetBench.await(stack, served, nodes);
        progress.printf(
            "%d nodes, %d controllers: warming up for %d s%n", nodes, count, warmUpSeconds);
        Thread.sleep(warmUpSeconds * 1_000L);
        Map<String, Long> pids = new TreeMap<>(further.pids());
        pids.put(CONTROLLER, programs.pids().get(CONTROLLER));
        progress.printf("%d nodes, %d controllers: measuring for %d s%n", nodes, count, seconds);
        SharedFleetReport.Run measured = measure(pids, applied, acked);
        return count == 1
            ? measured
            : measured.with(kill(CONTROLLER + "-" + count, further, adapters.pushes()));
      }
    }
  }

  private SharedFleetReport.Run measure(Map<String, Long> pids, Ticks applied, Ticks acked)
      throws IOException, InterruptedException {
    applied.measure(true);
    acked.measure(true);
    Map<String, Double> cpuBefore = new TreeMap<>();
    Map<String, Map<Long, Double>> loopsBefore = new TreeMap<>();
    for (var pid : pids.entrySet()) {
      cpuBefore.put(pid.getKey(), ProcessUsage.of(pid.getValue()).cpuSeconds());
      loopsBefore.put(pid.getKey(), EventLoops.cpuSeconds(pid.getValue()));
    }
    long beginNanos = System.nanoTime();
    Thread.sleep(seconds * 1_000L);
    double elapsed = (System.nanoTime() - beginNanos) / 1e9;
    Map<String, Double> cores = new TreeMap<>();
    Map<String, Double> loops = new TreeMap<>();
    for (var pid : pids.entrySet()) {
      String name = pid.getKey();
      double cpu = ProcessUsage.of(pid.getValue()).cpuSeconds() - cpuBefore.get(name);
      cores.put(name, cpu / elapsed);
      Map<Long, Double> after = EventLoops.cpuSeconds(pid.getValue());
      loops.put(name, EventLoops.busiest(loopsBefore.get(name), after, elapsed));
    }
    applied.measure(false);
    acked.measure(false);
    FleetBench.awaitLast(acked);
    return new SharedFleetReport.Run(
        cores, loops, applied.millis(), acked.millis(), acked.counted(), acked.missed(), null);
  }

  /** Kills a controller and waits until its nodes are pushed to again. */
  private SharedFleetReport.Takeover kill(String name, FurtherControllers further, PushWatch pushes)
      throws InterruptedException {
    long refusedBefore = pushes.refused();
    further.kill(name);
    long killedNanos = System.nanoTime();
    do {
      Thread.sleep(SILENCE_NANOS / 1_000_000);
    } while (pushes.notPushedSince(System.nanoTime() - SILENCE_NANOS / 2) > 0
        && System.nanoTime() - killedNanos < TAKEOVER_NANOS);
    return new SharedFleetReport.Takeover(
        pushes.changedAfterMillis(killedNanos),
        pushes.notPushedSince(System.nanoTime() - SILENCE_NANOS / 2),
        refusedBefore,
        pushes.refused() - refusedBefore);
  }
}
