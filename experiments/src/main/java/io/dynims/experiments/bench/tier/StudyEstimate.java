package io.dynims.experiments.bench.tier;

import java.util.List;

/** How long the study takes, by rates as they are on a machine of two processors. */
final class StudyEstimate {

  private static final double MEBIBYTE = 1 << 20;
  private static final double MEMORY_RATE = 1_000e6;
  private static final double CLIENT_RATE = 250e6;
  private static final double COLD_RANDOM_READ_SECONDS = 0.008;
  private static final double S3_REQUEST_SECONDS = 0.008;
  private static final double PROCESSORS = 2;
  private static final double MPI_START_SECONDS = 0.3;
  private static final double NODES_START_SECONDS = 2;
  private static final double REFILL_SECONDS = 3;
  private static final double LOOP_PASS_SECONDS = 5;
  private static final double NETCDF_START_SECONDS = 0.5;
  private static final double FIO_RUN_SECONDS = 1.2;

  private final StudyOptions options;

  StudyEstimate(StudyOptions options) {
    this.options = options;
  }

  /** A cell, with everything that is done for it. */
  double seconds(StudyCell cell) {
    if (cell.state().isLasting()) {
      return options.effort().rounds() * passSeconds(cell);
    }
    double once = onceSeconds(cell);
    double seconds =
        once + options.effort().warmMillis() / 1e3 + repetitionsSeconds(once + startSeconds(cell));
    // The same reads without the cache, to compare their checksum.
    return cell.kind() == AccessKind.MpiIo && !cell.write()
        ? seconds + underStoreSeconds(bytes(cell), cell)
        : seconds;
  }

  /** A pass while the tier is resized. */
  double passSeconds(StudyCell cell) {
    return options.effort().disturbedMillis() / 1e3
        + (cell.state().evicts() ? REFILL_SECONDS : 0)
        + (cell.state().law().isPresent() ? LOOP_PASS_SECONDS : 0);
  }

  double seconds(NetCdfCell cell) {
    double bytes =
        (double) options.count(cell.blockBytes(), cell.processes())
            * cell.blockBytes()
            * cell.processes();
    double slow = NETCDF_START_SECONDS + bytes / rate();
    double once = cell.cached() && !cell.write() ? NETCDF_START_SECONDS : slow;
    return (cell.write() ? 1 : 2) * slow + repetitionsSeconds(once);
  }

  /** The check of a cell by fio, and what the cell takes longer for it. */
  double fioSeconds() {
    return options.effort().repetitions() * FIO_RUN_SECONDS;
  }

  /** Everything, apart from starting programs. */
  double seconds(List<StudyCell> cells, List<NetCdfCell> netCdf) {
    return cells.stream()
            .mapToDouble(cell -> seconds(cell) + (FioCheck.covers(cell) ? fioSeconds() : 0))
            .sum()
        + netCdf.stream().mapToDouble(this::seconds).sum();
  }

  /** How long the repetitions of something take that takes so long once. */
  double repetitionsSeconds(double onceSeconds) {
    StudyEffort effort = options.effort();
    double fit = Math.ceil(effort.cellMillis() / 1e3 / onceSeconds);
    return Math.min(effort.repetitions(), Math.max(effort.leastRepetitions(), fit)) * onceSeconds;
  }

  private double startSeconds(StudyCell cell) {
    return !cell.kind().isMpi() ? 0 : cell.nodes() > 0 ? NODES_START_SECONDS : MPI_START_SECONDS;
  }

  private double bytes(StudyCell cell) {
    return (double) options.count(cell) * cell.blockBytes() * cell.processesInAll();
  }

  private double rate() {
    return options.rate() * 1e6;
  }

  private double underStoreSeconds(double bytes, StudyCell cell) {
    double accesses = (double) options.count(cell) * Math.max(1, cell.blockBytes() / MEBIBYTE);
    return bytes / rate() + accesses * options.latencyMicros() / 1e6;
  }

  /** Reading or writing all files of a cell. */
  private double onceSeconds(StudyCell cell) {
    double bytes = bytes(cell);
    double accesses = (double) options.count(cell) * cell.processesInAll();
    double parallel = Math.min(PROCESSORS, cell.processesInAll());
    double pass = options.effort().passMillis() / 1e3;
    if (cell.state() == StudyState.Cold) {
      return underStoreSeconds(bytes, cell)
          + (cell.random() ? accesses * COLD_RANDOM_READ_SECONDS : 0);
    }
    return switch (cell.kind()) {
      case UnderStore, PlainMpiIo -> underStoreSeconds(bytes, cell);
      case MpiIo -> cell.write() ? underStoreSeconds(bytes, cell) : bytes / MEMORY_RATE;
      case S3 -> Math.max(pass, accesses * S3_REQUEST_SECONDS / parallel + bytes / CLIENT_RATE);
      case Native, Fuse -> Math.max(pass, bytes / CLIENT_RATE);
      case Tmpfs, TmpfsHeap -> Math.max(pass, bytes / MEMORY_RATE);
    };
  }
}
