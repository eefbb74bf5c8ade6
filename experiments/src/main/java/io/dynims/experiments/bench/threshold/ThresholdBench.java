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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Finds the greatest threshold at which each law keeps a node out of trouble. */
public final class ThresholdBench {

  /** One of each kind is shipped; twenty more. */
  public static final int SEEDS = 21;

  static final double ALLOWANCE = 1.1;

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
    List<SafeThreshold> found = new ArrayList<>();
    for (LawType law : LawType.values()) {
      found.add(search(law));
      progress.accept(law + ": " + found.get(found.size() - 1).threshold());
    }
    return ThresholdFindings.of(found, suite);
  }

  private SafeThreshold search(LawType law) throws StackException {
    try {
      Policy policy = PolicyDocument.read(policyFile, law);
      double threshold = greatest(policy, ALLOWANCE);
      double strict = greatest(policy, 0);
      Map<SyntheticTrace, Long> excessBytes = new EnumMap<>(SyntheticTrace.class);
      for (SuiteTrace trace : suite) {
        excessBytes.merge(trace.kind(), trace.run(policy, threshold).excessBytes(), Math::max);
      }
      return new SafeThreshold(
          law,
          threshold,
          meanTierBytes(policy, threshold),
          strict,
          meanTierBytes(policy, strict),
          excessBytes);
    } catch (InputException e) {
      throw new StackException(e.getMessage(), e);
    }
  }

  private double greatest(Policy policy, double allowance) throws StackException {
    return new ThresholdSearch(suite, allowance)
        .greatest(policy)
        .orElseThrow(() -> new StackException(policy.law() + " has no safe threshold"));
  }

  private long meanTierBytes(Policy policy, double threshold) {
    double heldByteMillis = 0;
    double millis = 0;
    for (SuiteTrace trace : suite) {
      heldByteMillis += trace.run(policy, threshold).heldByteMillis();
      millis += trace.millis();
    }
    return Math.round(heldByteMillis / millis);
  }
}
