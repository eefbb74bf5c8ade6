package io.dynims.experiments.bench.tier;

/**
 * How thorough the study is.
 *
 * @param fewCells whether to leave out cells that resemble others
 * @param repetitions of each cell
 * @param mostBlocks what a process's file has at most
 * @param hotBytes the file that is read while the tier is resized
 * @param disturbedMillis how long each measurement while the tier is resized lasts
 */
public record StudyEffort(
    boolean fewCells, int repetitions, int mostBlocks, long hotBytes, long disturbedMillis) {

  /** All cells; files of 100 blocks and ten repetitions, as in the paper. */
  public static final StudyEffort FULL = new StudyEffort(false, 10, 100, 64L << 20, 5_000);

  /** To try the study. */
  public static final StudyEffort QUICK = new StudyEffort(true, 1, 20, 16L << 20, 1_000);
}
