package io.dynims.experiments.bench.threshold;

import io.dynims.core.wire.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Looks for the greatest safe threshold of a law, in steps of 0.001: at it no trace of the suite
 * passes M by more than is allowed.
 *
 * <p>It tries every threshold from above, each first on the traces that failed last, and so needs
 * no assumption on the order of safe and unsafe ones; a safe one counts only if the ten below it
 * are safe as well, so that no lucky point among unsafe ones is taken.
 */
final class ThresholdSearch {

  private static final int STEPS = 1_000;
  private static final int CONFIRMED = 10;

  /** What a trace may exceed M by, as a multiple of its inevitable excess. */
  private final double allowance;

  /** The traces, the one that failed last first. */
  private final List<SuiteTrace> suite;

  ThresholdSearch(List<SuiteTrace> suite, double allowance) {
    this.suite = new ArrayList<>(suite);
    this.allowance = allowance;
  }

  /** The greatest safe threshold; empty if there is none. */
  OptionalDouble greatest(Policy policy) {
    int safe = 0;
    for (int step = STEPS - 1; step >= 1; step--) {
      safe = isSafe(policy, (double) step / STEPS) ? safe + 1 : 0;
      if (safe > CONFIRMED || (safe > 0 && step == 1)) {
        return OptionalDouble.of((double) (step + safe - 1) / STEPS);
      }
    }
    return OptionalDouble.empty();
  }

  /** Whether no trace passes M by more than is allowed. */
  boolean isSafe(Policy policy, double threshold) {
    for (int i = 0; i < suite.size(); i++) {
      SuiteTrace trace = suite.get(i);
      if (trace.run(policy, threshold).excessBytes() > allowance * trace.inevitableBytes()) {
        suite.add(0, suite.remove(i));
        return false;
      }
    }
    return true;
  }
}
