package io.dynims.experiments.bench.tier;

import java.util.Collections;
import java.util.List;

/**
 * What to measure.
 *
 * @param parts of the study
 * @param kinds the interfaces
 * @param blockBytes what one operation reads or writes
 * @param processes numbers of processes at once
 * @param nodes numbers of nodes
 * @param effort how thoroughly
 * @param tierBytes the tier's maximum
 * @param alluxioBlockBytes alluxio.block.size
 * @param rate of the under store, MB/s
 * @param latencyMicros of each access to the under store
 * @param mount how Alluxio's FUSE mount is made
 * @param plantWrongByte whether each file that is read has a wrong byte, to see that it is found
 */
public record StudyOptions(
    List<StudyPart> parts,
    List<AccessKind> kinds,
    List<Integer> blockBytes,
    List<Integer> processes,
    List<Integer> nodes,
    StudyEffort effort,
    long tierBytes,
    long alluxioBlockBytes,
    int rate,
    int latencyMicros,
    FuseMount mount,
    boolean plantWrongByte) {

  /** Increased whenever results are measured in another way. */
  private static final int METHOD = 3;

  private static final long MOST_FILE_BYTES = 64L << 20;
  private static final int LARGE_BYTES = 1 << 20;

  /** What all files of a cell may take of the tier. */
  private static final int TIER_PARTS = 4;

  /** Copies the lists. */
  public StudyOptions {
    parts = List.copyOf(parts);
    kinds = List.copyOf(kinds);
    blockBytes = List.copyOf(blockBytes);
    processes = List.copyOf(processes);
    nodes = List.copyOf(nodes);
  }

  /**
   * The file with the results of runs whose results may be mixed: whatever a cell's id does not
   * tell is in the file's name.
   *
   * @param prefix of the name, which tells what is not in these options
   */
  public String journalName(String prefix) {
    return String.join(
            "-",
            prefix,
            "v" + METHOD,
            effort.fewCells() ? "quick" : effort.everyCount() ? "long" : "full",
            (tierBytes >> 20) + "Mi",
            (alluxioBlockBytes >> 20) + "Mi",
            rate + "MBps",
            latencyMicros + "us" + (mount.isUsual() ? "" : "-" + mount.fileName()))
        + (plantWrongByte ? "-planted" : "")
        + ".jsonl";
  }

  /** Whether a part and an interface are wanted. */
  boolean wants(StudyPart part, AccessKind kind) {
    return parts.contains(part) && kinds.contains(kind);
  }

  /** The fewest processes. */
  int fewestProcesses() {
    return Collections.min(processes);
  }

  /** The number of blocks of a process's file. */
  int count(StudyCell cell) {
    if (cell.state().isLasting()) {
      int blocks = (int) (effort.hotBytes() / cell.blockBytes());
      return blocks / together(cell.blockBytes()) * together(cell.blockBytes());
    }
    return count(cell.blockBytes(), cell.processesInAll());
  }

  /** The same of cells that last for a number of operations: the tier holds all of their files. */
  int count(int oneBlockBytes, int processesInAll) {
    long bytes = Math.min(MOST_FILE_BYTES, tierBytes / TIER_PARTS / processesInAll);
    return (int) Math.max(1, Math.min(effort.mostBlocks(), bytes / oneBlockBytes));
  }

  /** How many blocks make about 1 MiB, to load a file fast. */
  static int together(int blockBytes) {
    return Math.max(1, Integer.highestOneBit(LARGE_BYTES / blockBytes));
  }
}
