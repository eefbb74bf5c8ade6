package io.dynims.experiments.bench.threshold;

import io.dynims.cli.simulate.InputException;
import io.dynims.cli.simulate.PolicyDocument;
import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.cli.stack.StackException;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import io.dynims.experiments.bench.Findings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the greatest threshold at which each law never passes a node's memory, and compares what
 * the laws make of a common one with what no law can avoid.
 */
public final class ThresholdBench {

  /** One of each kind is shipped; twenty more. */
  public static final int SEEDS = 21;

  /** The default of policies. */
  static final double COMMON_THRESHOLD = 0.95;

  static final String SUITE = "all";

  private final List<SuiteTrace> suite;
  private final Path policyFile;
  private final Consumer<String> progress;

  /**
   * A benchmark.
   *
   * @param project the project's folder
   * @param seeds how many traces of each kind
   */
  public ThresholdBench(Path project, int seeds, Consumer<String> progress) {
    this.policyFile = project.resolve("experiments/traces/paper.yaml");
    this.suite = SuiteTrace.suite(seeds);
    this.progress = progress;
  }

  /**
   * Runs all laws.
   *
   * @throws StackException if a law has no safe threshold, or the policy cannot be read
   */
  public Findings run() throws StackException {
    List<Policy> policies = policies();
    List<SafeThresholds> safe = new ArrayList<>();
    for (SyntheticTrace kind : SyntheticTrace.values()) {
      safe.add(
          search(
              kind.name(),
              suite.stream().filter(trace -> trace.kind() == kind).toList(),
              policies));
    }
    safe.add(search(SUITE, suite, policies));
    List<TraceOutcome> outcomes = new ArrayList<>();
    for (Policy policy : policies) {
      suite.forEach(trace -> outcomes.add(TraceOutcome.of(trace, policy, COMMON_THRESHOLD)));
    }
    return ThresholdFindings.of(safe, outcomes);
  }

  private List<Policy> policies() throws StackException {
    try {
      List<Policy> policies = new ArrayList<>();
      for (LawType law : LawType.values()) {
        policies.add(PolicyDocument.read(policyFile, law));
      }
      return policies;
    } catch (InputException e) {
      throw new StackException(e.getMessage(), e);
    }
  }

  private SafeThresholds search(String name, List<SuiteTrace> traces, List<Policy> policies)
      throws StackException {
    List<SafeThreshold> found = new ArrayList<>();
    for (Policy policy : policies) {
      double threshold =
          new ThresholdSearch(traces)
              .greatest(policy)
              .orElseThrow(
                  () -> new StackException(policy.law() + " has no safe threshold: " + name));
      found.add(
          new SafeThreshold(policy.law(), threshold, meanTierBytes(traces, policy, threshold)));
      progress.accept(name + ", " + policy.law() + ": " + threshold);
    }
    return SafeThresholds.of(name, traces.size(), found);
  }

  private static long meanTierBytes(List<SuiteTrace> traces, Policy policy, double threshold) {
    double heldByteMillis = 0;
    double millis = 0;
    for (SuiteTrace trace : traces) {
      long heldBytes = trace.run(policy, threshold).meanTierBytes();
      heldByteMillis += (double) heldBytes * trace.millis();
      millis += trace.millis();
    }
    return Math.round(heldByteMillis / millis);
  }
}
