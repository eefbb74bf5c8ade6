package io.dynims.experiments.bench.threshold;

import io.dynims.core.law.LawType;
import java.util.List;

/**
 * The safe thresholds of all laws on a set of traces.
 *
 * @param name of the set: a kind, or the suite
 * @param traces how many there are
 * @param laws one for each law
 * @param gainPercent by how much more the tier holds with Forecast than with Feedback; may be
 *     negative
 */
record SafeThresholds(String name, int traces, List<SafeThreshold> laws, double gainPercent) {

  static SafeThresholds of(String name, int traces, List<SafeThreshold> laws) {
    double feedbackBytes = of(laws, LawType.Feedback).meanTierBytes();
    double gain = of(laws, LawType.Forecast).meanTierBytes() / feedbackBytes - 1;
    return new SafeThresholds(name, traces, List.copyOf(laws), 100 * gain);
  }

  SafeThreshold of(LawType law) {
    return of(laws, law);
  }

  private static SafeThreshold of(List<SafeThreshold> laws, LawType law) {
    return laws.stream().filter(safe -> safe.law() == law).findFirst().orElseThrow();
  }
}
