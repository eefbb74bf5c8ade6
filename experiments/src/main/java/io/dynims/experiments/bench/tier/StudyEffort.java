package io.dynims.experiments.bench.tier;

/**
 * How thorough the study is.
 *
 * @param fewCells whether to leave out cells that resemble others
 * @param everyCount whether interfaces that are bound by the under store or by the time of a
 *     request have every number of processes and nodes, else the fewest and the most
 * @param repetitions of each cell
 * @param leastRepetitions of a cell whose repetitions take longer than {@code cellMillis}
 * @param cellMillis after which a cell is not repeated any more
 * @param mostBlocks what a process's file has at most
 * @param warmMillis how long each cell works before it is measured
 * @param passMillis how long each repetition reads its file again and again
 * @param hotBytes the file that is read while the tier is resized
 * @param disturbedMillis how long each pass while the tier is resized lasts
 * @param rounds how many passes each state has
 */
public record StudyEffort(
    boolean fewCells,
    boolean everyCount,
    int repetitions,
    int leastRepetitions,
    long cellMillis,
    int mostBlocks,
    long warmMillis,
    long passMillis,
    long hotBytes,
    long disturbedMillis,
    int rounds) {

  private static final long HOT_BYTES = 64L << 20;
  private static final int COMPARED_TIMES = 5;

  /** Files of 100 blocks and ten repetitions, as in the paper, unless a cell takes too long. */
  public static final StudyEffort FULL =
      new StudyEffort(false, false, 10, 3, 3_000, 100, 500, 100, HOT_BYTES, 4_000, 2);

  /** The same with ten repetitions and every number of processes throughout. */
  public static final StudyEffort LONG =
      new StudyEffort(false, true, 10, 10, Long.MAX_VALUE / 2, 100, 500, 100, HOT_BYTES, 8_000, 2);

  /** To try the study. */
  public static final StudyEffort QUICK =
      new StudyEffort(true, false, 1, 1, 1_000, 20, 50, 0, 16L << 20, 1_000, 1);

  /**
   * The same effort with longer repetitions, for figures that are compared with those of another
   * program.
   */
  StudyEffort compared() {
    return new StudyEffort(
        fewCells,
        everyCount,
        repetitions,
        repetitions,
        cellMillis,
        mostBlocks,
        warmMillis,
        COMPARED_TIMES * passMillis,
        hotBytes,
        disturbedMillis,
        rounds);
  }
}
