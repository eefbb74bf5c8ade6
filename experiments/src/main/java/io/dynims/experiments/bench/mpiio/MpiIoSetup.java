package io.dynims.experiments.bench.mpiio;

/** How a program's accesses are served. */
public enum MpiIoSetup {
  /** MPI-IO alone. */
  PLAIN("MPI-IO", false),
  /** The cache in the node's memory. */
  CACHED("cache", false),
  /**
   * The cache in a memory that is made as slow as the paper's simulated NVRAM: 600 ns an access, 2
   * µs a commit, 9.5 GB/s.
   */
  NVRAM("cache in simulated NVRAM", true);

  /** {@code DYNIMS_MPIIO_SIMULATE}. */
  static final String NVRAM_TIMES = "600:2000:9500000000";

  private final String label;
  private final boolean simulated;

  MpiIoSetup(String label, boolean simulated) {
    this.label = label;
    this.simulated = simulated;
  }

  String label() {
    return label;
  }

  boolean isCached() {
    return this != PLAIN;
  }

  boolean isSimulated() {
    return simulated;
  }
}
