package io.dynims.experiments.bench.tier;

/**
 * What is measured together: one point of the study.
 *
 * @param kind the interface
 * @param write whether files are made, else read
 * @param random whether blocks come in random order
 * @param collective whether all ranks take part in each operation; of MPI-IO only
 * @param blockBytes what one operation reads or writes
 * @param processes how many processes do so at once
 * @param state what happens to the tier meanwhile
 */
record StudyCell(
    AccessKind kind,
    boolean write,
    boolean random,
    boolean collective,
    int blockBytes,
    int processes,
    StudyState state) {

  /** Names it in the journal. */
  String id() {
    return String.join(
        " ",
        kind.id(),
        series(),
        Integer.toString(blockBytes >> 10) + "KiB",
        processes + "p",
        state.id());
  }

  /** Operation and pattern. */
  String series() {
    return (collective ? "collective " : "")
        + (random ? "random " : "sequential ")
        + (write ? "write" : "read");
  }
}
