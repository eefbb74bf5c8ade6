package io.dynims.experiments.bench.control;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The figures of a load under a law over its repetitions.
 *
 * @param median the median of each figure
 * @param min the least of each
 * @param max the greatest of each
 * @param repetitions the number of runs
 * @param aboveTotal the runs that {@linkplain RunFigures#exceedTotal exceeded} M
 * @param startsMissed the runs that began elsewhere than at their starting point
 * @param disturbed the runs during which other programs' memory moved by more than 5 % of M
 */
record LoadSummary(
    @JsonUnwrapped RunFigures median,
    RunFigures min,
    RunFigures max,
    int repetitions,
    long aboveTotal,
    long startsMissed,
    long disturbed) {

  private static final double DISTURBED = 0.05;

  static LoadSummary of(List<ControlRun> runs) {
    List<RunFigures> figures = runs.stream().map(RunFigures::of).toList();
    return new LoadSummary(
        RunFigures.median(figures),
        RunFigures.least(figures),
        RunFigures.greatest(figures),
        runs.size(),
        figures.stream().filter(RunFigures::exceedTotal).count(),
        runs.stream().filter(run -> !run.startReached()).count(),
        figures.stream()
            .filter(run -> run.otherRangeBytes() > DISTURBED * run.memoryTotalBytes())
            .count());
  }
}
