package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.ProcessUsage;
import io.dynims.cli.stack.StackException;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The programs that serve a fleet, and what they and the generator use. */
final class FleetPrograms {

  /** The names of the programs. */
  static final List<String> NAMES = List.of("kafka", "flink", "controller");

  /** This process, which simulates the nodes. */
  static final String GENERATOR = "generator";

  /** All processes and the kernel. */
  static final String MACHINE = "machine";

  /** The programs' JVM options for a large fleet: a heap for it, and the optimizing compiler. */
  static final List<String> JAVA_OPTIONS =
      List.of("-Xmx768m", "-Xmn384m", "-XX:MetaspaceSize=128m", "-XX:TieredStopAtLevel=4");

  private final BenchStack stack;

  FleetPrograms(BenchStack stack) {
    this.stack = stack;
  }

  /**
   * Starts all programs, with some milliseconds of batching, and waits until each of them is ready.
   *
   * @param controllerOptions the options of the controller
   */
  void start(List<String> controllerOptions) throws ConfigException, StackException, IOException {
    String javaOptions = String.join(" ", JAVA_OPTIONS);
    List<String> settings =
        List.of(
            "controller.java.options=" + javaOptions,
            "controller.options=" + String.join(" ", controllerOptions),
            "flink.java.options=" + javaOptions,
            "flink.options=--kafka.fetch.min=50000 --kafka.fetch.wait=10ms --linger=5ms",
            "kafka.java.options=" + javaOptions);
    stack.up(settings, NAMES.toArray(String[]::new));
  }

  /** The processor time of each program, the generator and the machine since their start. */
  Map<String, Double> cpuSeconds() throws ConfigException, StackException, IOException {
    Map<String, Double> seconds = new TreeMap<>();
    for (var pid : pids().entrySet()) {
      seconds.put(pid.getKey(), ProcessUsage.of(pid.getValue()).cpuSeconds());
    }
    seconds.put(MACHINE, machineSeconds());
    return seconds;
  }

  /** The resident memory of each program and the generator. */
  Map<String, Long> rssBytes() throws ConfigException, StackException, IOException {
    Map<String, Long> bytes = new TreeMap<>();
    for (var pid : pids().entrySet()) {
      bytes.put(pid.getKey(), ProcessUsage.of(pid.getValue()).residentBytes());
    }
    return bytes;
  }

  /** The process of each program and the generator. */
  Map<String, Long> pids() throws ConfigException, StackException {
    Map<String, Long> pids = new TreeMap<>();
    for (PartStatus status : stack.stack().status()) {
      if (NAMES.contains(status.part())) {
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

  /** The time of all programs and the kernel: user, nice, system, and both kinds of interrupts. */
  private static double machineSeconds() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +", -1);
    long ticks = 0;
    for (int field : new int[] {1, 2, 3, 6, 7}) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks / 100.0;
  }
}
