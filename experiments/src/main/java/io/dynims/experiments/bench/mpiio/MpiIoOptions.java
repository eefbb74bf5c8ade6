package io.dynims.experiments.bench.mpiio;

import java.util.List;

/**
 * What to measure.
 *
 * @param mpi {@code mpich} or {@code openmpi}
 * @param ranks the numbers of ranks; the first is that of all series but the one over ranks
 * @param nodes the numbers of nodes, each with a cache of its own
 * @param fileBytes the size of the file
 * @param rate of the slow file system, MB/s
 * @param latencyMicros of each of its accesses
 * @param repetitions of each measurement, of which the median counts
 */
public record MpiIoOptions(
    String mpi,
    List<Integer> ranks,
    List<Integer> nodes,
    long fileBytes,
    int rate,
    int latencyMicros,
    int repetitions) {

  /** Copies the lists. */
  public MpiIoOptions {
    ranks = List.copyOf(ranks);
    nodes = List.copyOf(nodes);
  }
}
