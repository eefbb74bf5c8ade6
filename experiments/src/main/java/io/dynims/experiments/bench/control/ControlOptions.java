package io.dynims.experiments.bench.control;

import io.dynims.cli.stack.StackStore;
import io.dynims.core.law.LawType;
import java.util.List;

/**
 * What to measure.
 *
 * @param store what holds the tier's data: Alluxio, Redis or memcached
 * @param laws the laws, each once
 * @param loads the loads, each once
 * @param repetitions how often each load runs under each law, at least 1
 * @param quick whether to shorten the loads; their rates stay the same
 */
public record ControlOptions(
    StackStore store, List<LawType> laws, List<ControlLoad> loads, int repetitions, boolean quick) {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException naming the load that the store is not made for
   */
  public ControlOptions {
    for (ControlLoad load : loads) {
      if (!load.runsOn(store)) {
        throw new IllegalArgumentException(load.key() + " runs on Alluxio only");
      }
    }
    laws = List.copyOf(laws);
    loads = List.copyOf(loads);
  }
}
