package io.dynims.experiments.bench.tier;

/**
 * What one process does in one repetition.
 *
 * @param file the file, of {@code count} blocks
 * @param write whether it is made anew, else read
 * @param random whether the blocks come in random order, each once; else from the first to the last
 * @param blockBytes what one operation reads or writes, a multiple of 8
 * @param count how many blocks
 * @param millis the file is opened, accessed and closed again until this time is over
 * @param whole whether the last of these passes is completed, else it ends with the time
 * @param thorough whether every byte that is read is checked, else eight bytes of each 512
 * @param watchedBlockBytes Alluxio's block size, if what delays single operations is to be told; 0
 *     if not
 * @param seed of the order
 */
record AccessOrder(
    String file,
    boolean write,
    boolean random,
    int blockBytes,
    int count,
    long millis,
    boolean whole,
    boolean thorough,
    long watchedBlockBytes,
    long seed) {

  /** The blocks of a file, each once, with every byte checked. */
  static AccessOrder once(StudyCell cell, String file, int count) {
    return new AccessOrder(
        file, cell.write(), cell.random(), cell.blockBytes(), count, 0, true, true, 0, 0);
  }

  /** The same on another file or in another order. */
  AccessOrder of(String newFile, long newSeed) {
    return new AccessOrder(
        newFile,
        write,
        random,
        blockBytes,
        count,
        millis,
        whole,
        thorough,
        watchedBlockBytes,
        newSeed);
  }

  /** The same file from its first to its last byte, with several blocks an operation. */
  AccessOrder inOrder(int blocks) {
    return new AccessOrder(
        file, write, false, blockBytes * blocks, count / blocks, 0, true, true, 0, seed);
  }

  /** Whole passes until a time is over, with every byte checked. */
  AccessOrder warming(long forMillis) {
    return new AccessOrder(file, write, random, blockBytes, count, forMillis, true, true, 0, seed);
  }

  /**
   * Whole passes until a time is over. Little is done between two operations, as in a program that
   * reads only: a check of every byte would change what the processor's caches hold.
   */
  AccessOrder timed(long forMillis) {
    return new AccessOrder(file, write, random, blockBytes, count, forMillis, true, false, 0, seed);
  }

  /** Passes until a time is over, with every byte checked and every operation watched. */
  AccessOrder watched(long forMillis, long alluxioBlockBytes) {
    return new AccessOrder(
        file,
        write,
        random,
        blockBytes,
        count,
        forMillis,
        forMillis == 0,
        true,
        alluxioBlockBytes,
        seed);
  }
}
