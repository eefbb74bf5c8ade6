package io.dynims.experiments.bench.tier;

/**
 * What is measured together: one point of the study.
 *
 * @param kind the interface
 * @param write whether files are made, else read
 * @param random whether blocks come in random order
 * @param collective whether all ranks take part in each operation; of MPI-IO only
 * @param blockBytes what one operation reads or writes
 * @param processes how many processes do so at once, on each node
 * @param nodes how many nodes are joined by a network; 0 if the processes are where the tier is
 * @param state what happens to the tier meanwhile
 */
record StudyCell(
    AccessKind kind,
    boolean write,
    boolean random,
    boolean collective,
    int blockBytes,
    int processes,
    int nodes,
    StudyState state) {

  /** Names it in the journal. */
  String id() {
    return String.join(
        " ",
        kind.id(),
        series(),
        Integer.toString(blockBytes >> 10) + "KiB",
        processes + "p" + (nodes == 0 ? "" : " " + nodes + "n"),
        state.id());
  }

  /** Operation and pattern. */
  String series() {
    return (collective ? "collective " : "")
        + (random ? "random " : "sequential ")
        + (write ? "write" : "read");
  }

  /** Processes on all nodes. */
  int processesInAll() {
    return processes * Math.max(1, nodes);
  }

  /** Whether single operations are watched, to tell what delays the slowest ones. */
  boolean isWatched() {
    return random && !write && !collective && processes == 1 && nodes == 0;
  }

  /** The same in another state. */
  StudyCell in(StudyState other) {
    return new StudyCell(kind, write, random, collective, blockBytes, processes, nodes, other);
  }
}
