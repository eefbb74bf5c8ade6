package io.dynims.experiments.bench.threshold;

import io.dynims.core.wire.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Looks for the greatest safe threshold of a law, in steps of 0.001: at it no trace ever passes M.
 *
 * <p>It bisects, and verifies the result: the ten thresholds above must be unsafe and the ten below
 * safe, so that no lucky point among unsafe ones is taken. Where they are not, safety is no matter
 * of order, and every threshold is tried from above.
 */
final class ThresholdSearch {

  private static final int STEPS = 1_000;
  private static final int CONFIRMED = 10;

  /** The traces, the one that failed last first. */
  private final List<SuiteTrace> traces;

  ThresholdSearch(List<SuiteTrace> traces) {
    this.traces = new ArrayList<>(traces);
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

  /** Whether no trace ever passes M. */
  boolean isSafe(Policy policy, double threshold) {
    for (int i = 0; i < traces.size(); i++) {
      if (traces.get(i).run(policy, threshold).aboveMemory() > 0) {
        traces.add(0, traces.remove(i));
        return false;
      }
    }
    return true;
  }
}
