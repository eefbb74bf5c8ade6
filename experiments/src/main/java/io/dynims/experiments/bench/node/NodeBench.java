package io.dynims.experiments.bench.node;

import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.ProcessUsage;
import io.dynims.cli.stack.StackException;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the programs that run on each node while its memory does not change. */
public final class NodeBench {

  private static final List<String> PARTS = List.of("adapter", "collectd");

  private final BenchStack stack;
  private final PrintStream progress;

  /** A benchmark on a stack that is not running. */
  public NodeBench(BenchStack stack, PrintStream progress) {
    this.stack = stack;
    this.progress = progress;
  }

  /**
   * Starts the stack and measures.
   *
   * @param warmUpSeconds the time at rest before the measurement
   * @param seconds the duration of the measurement
   */
  public Findings run(int warmUpSeconds, int seconds)
      throws ConfigException, StackException, IOException, InterruptedException {
    stack.up(List.of());
    progress.printf("at rest for %d s%n", warmUpSeconds);
    Thread.sleep(warmUpSeconds * 1_000L);
    progress.printf("measuring for %d s%n", seconds);
    Map<String, ProcessUsage> before = use();
    long startNanos = System.nanoTime();
    Thread.sleep(seconds * 1_000L);
    Map<String, ProcessUsage> after = use();
    double elapsedSeconds = (System.nanoTime() - startNanos) / 1e9;
    Map<String, NodeFindings.Use> uses = new LinkedHashMap<>();
    for (String part : PARTS) {
      double cpuSeconds = after.get(part).cpuSeconds() - before.get(part).cpuSeconds();
      uses.put(part, NodeFindings.Use.of(cpuSeconds / elapsedSeconds, after.get(part)));
    }
    return NodeFindings.of(uses, warmUpSeconds, seconds);
  }

  private Map<String, ProcessUsage> use() throws ConfigException, StackException, IOException {
    Map<String, ProcessUsage> uses = new LinkedHashMap<>();
    for (PartStatus status : stack.stack().status()) {
      if (status.state() != PartStatus.State.Running) {
        throw new StackException(
            status.part() + " is " + status.state() + "; see " + stack.home().log(status.part()));
      }
      uses.put(status.part(), ProcessUsage.of(status.pid()));
    }
    return uses;
  }
}
