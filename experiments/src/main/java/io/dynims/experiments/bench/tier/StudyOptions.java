package io.dynims.experiments.bench.tier;

import java.util.List;

/**
 * What to measure.
 *
 * @param kinds the interfaces
 * @param blockBytes what one operation reads or writes
 * @param processes numbers of processes at once
 * @param repetitions of each cell
 * @param disturbedMillis how long each measurement while the tier is resized lasts
 * @param tierBytes the tier's maximum
 * @param rate of the under store, MB/s
 * @param latencyMicros of each access to the under store
 */
public record StudyOptions(
    List<AccessKind> kinds,
    List<Integer> blockBytes,
    List<Integer> processes,
    int repetitions,
    long disturbedMillis,
    long tierBytes,
    int rate,
    int latencyMicros) {

  private static final int MOST_BLOCKS = 100;
  private static final long MOST_FILE_BYTES = 128L << 20;
  private static final long HOT_BYTES = 64L << 20;

  /** Copies the lists. */
  public StudyOptions {
    kinds = List.copyOf(kinds);
    blockBytes = List.copyOf(blockBytes);
    processes = List.copyOf(processes);
  }

  /** The number of blocks of a process's file: 100 as in the paper, or what 128 MiB have. */
  int count(StudyCell cell) {
    if (cell.state().isLasting()) {
      return (int) (HOT_BYTES / cell.blockBytes());
    }
    return count(cell.blockBytes());
  }

  /** The same of cells that last for a number of operations. */
  int count(int oneBlockBytes) {
    return (int) Math.min(MOST_BLOCKS, MOST_FILE_BYTES / oneBlockBytes);
  }
}
