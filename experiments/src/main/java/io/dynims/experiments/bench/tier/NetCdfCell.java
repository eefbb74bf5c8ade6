package io.dynims.experiments.bench.tier;

/**
 * What is measured together of the NetCDF pattern: four-dimensional data, a time step an access.
 *
 * @param cached whether MPI-IO goes through the cache
 * @param write whether the file is made, else read
 * @param chunked whether a block is a chunk of the file, else the data is contiguous
 * @param collective whether all ranks take part in each access
 * @param blockBytes what one access of a rank reads or writes, a multiple of 4 KiB
 * @param processes how many ranks do so at once
 */
record NetCdfCell(
    boolean cached,
    boolean write,
    boolean chunked,
    boolean collective,
    int blockBytes,
    int processes) {

  /** 16 rows of x, 64 of y, integers. */
  private static final int Z_BYTES = 16 * 64 * Integer.BYTES;

  /** Names it in the journal. */
  String id() {
    return "netcdf "
        + (cached ? "cached " : "plain ")
        + series()
        + " "
        + (blockBytes >> 10)
        + "KiB "
        + processes
        + "p";
  }

  /** All but the cache. */
  String series() {
    return (collective ? "collective " : "independent ")
        + (chunked ? "chunked " : "contiguous ")
        + (write ? "write" : "read");
  }

  /** The extent of the data's last dimension. */
  int z() {
    return blockBytes / Z_BYTES;
  }
}
