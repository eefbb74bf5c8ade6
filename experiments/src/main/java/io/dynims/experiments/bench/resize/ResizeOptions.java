package io.dynims.experiments.bench.resize;

import java.util.List;

/**
 * How much is measured.
 *
 * @param repetitions of every shrink, and of every round of reading
 * @param otherSliceBytes the slices to try beside the one that the stack is set to
 */
public record ResizeOptions(int repetitions, List<Long> otherSliceBytes) {

  /** Copies what it is given. */
  public ResizeOptions {
    otherSliceBytes = List.copyOf(otherSliceBytes);
  }
}
