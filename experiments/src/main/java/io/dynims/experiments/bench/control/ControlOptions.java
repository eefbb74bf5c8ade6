package io.dynims.experiments.bench.control;

import io.dynims.core.law.LawType;
import java.util.List;

/**
 * What to measure.
 *
 * @param laws the laws, each once
 * @param loads the loads, each once
 * @param repetitions how often each load runs under each law, at least 1
 * @param quick whether to shorten the loads; their rates stay the same
 */
public record ControlOptions(
    List<LawType> laws, List<ControlLoad> loads, int repetitions, boolean quick) {

  /** Copies the lists. */
  public ControlOptions {
    laws = List.copyOf(laws);
    loads = List.copyOf(loads);
  }
}
