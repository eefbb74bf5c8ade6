package io.dynims.experiments.bench.tier;

import java.util.List;

/**
 * What to measure.
 *
 * @param kinds the interfaces
 * @param blockBytes what one operation reads or writes
 * @param processes numbers of processes at once
 * @param effort how thoroughly
 * @param tierBytes the tier's maximum
 * @param rate of the under store, MB/s
 * @param latencyMicros of each access to the under store
 */
public record StudyOptions(
    List<AccessKind> kinds,
    List<Integer> blockBytes,
    List<Integer> processes,
    StudyEffort effort,
    long tierBytes,
    int rate,
    int latencyMicros) {

  private static final long MOST_FILE_BYTES = 128L << 20;
  private static final int LARGE_BYTES = 1 << 20;

  /** Copies the lists. */
  public StudyOptions {
    kinds = List.copyOf(kinds);
    blockBytes = List.copyOf(blockBytes);
    processes = List.copyOf(processes);
  }

  /** The number of blocks of a process's file. */
  int count(StudyCell cell) {
    if (cell.state().isLasting()) {
      int blocks = (int) (effort.hotBytes() / cell.blockBytes());
      return blocks / together(cell.blockBytes()) * together(cell.blockBytes());
    }
    return count(cell.blockBytes());
  }

  /** The same of cells that last for a number of operations. */
  int count(int oneBlockBytes) {
    return (int) Math.min(effort.mostBlocks(), MOST_FILE_BYTES / oneBlockBytes);
  }

  /** How many blocks make about 1 MiB, to load a file fast. */
  static int together(int blockBytes) {
    return Math.max(1, Integer.highestOneBit(LARGE_BYTES / blockBytes));
  }
}
