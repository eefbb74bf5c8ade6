package io.dynims.experiments.bench.threshold;

import io.dynims.core.wire.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Looks for the greatest safe threshold of a law, in steps of 0.001: at it no trace of the suite
 * passes M by more than is allowed.
 *
 * <p>It bisects, and verifies the result: the ten thresholds above must be unsafe and the ten below
 * safe, so that no lucky point among unsafe ones is taken. Where they are not, safety is no matter
 * of order, and every threshold is tried from above.
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
    int unsafe = STEPS;
    while (unsafe - safe > 1) {
      int middle = (safe + unsafe) / 2;
      if (isSafe(policy, ratio(middle))) {
        safe = middle;
      } else {
        unsafe = middle;
      }
    }
    return isBoundary(policy, safe) ? OptionalDouble.of(ratio(safe)) : scan(policy);
  }

  private boolean isBoundary(Policy policy, int step) {
    if (step <= CONFIRMED) {
      return false;
    }
    boolean boundary = true;
    for (int i = 1; i <= CONFIRMED && boundary; i++) {
      boundary =
          isSafe(policy, ratio(step - i))
              && (step + i >= STEPS || !isSafe(policy, ratio(step + i)));
    }
    return boundary;
  }

  /** The greatest safe threshold above ten others that are safe. */
  private OptionalDouble scan(Policy policy) {
    int safe = 0;
    for (int step = STEPS - 1; step >= 1; step--) {
      safe = isSafe(policy, ratio(step)) ? safe + 1 : 0;
      if (safe > CONFIRMED) {
        return OptionalDouble.of(ratio(step + CONFIRMED));
      }
    }
    return OptionalDouble.empty();
  }

  private static double ratio(int step) {
    return (double) step / STEPS;
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
