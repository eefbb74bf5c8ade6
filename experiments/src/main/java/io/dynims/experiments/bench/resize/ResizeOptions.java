package io.dynims.experiments.bench.resize;

import java.util.List;

/**
 * The scope of the measurement.
 *
 * @param repetitions the number of repetitions of every shrink and every round of reads
 * @param otherSliceBytes the slice sizes to measure in addition to that of the settings
 */
public record ResizeOptions(int repetitions, List<Long> otherSliceBytes) {

  /** Copies the list. */
  public ResizeOptions {
    otherSliceBytes = List.copyOf(otherSliceBytes);
  }
}
