package io.dynims.experiments.bench.tier;

/**
 * What one process does in one repetition.
 *
 * @param file the file, of {@code count} blocks
 * @param write whether it is made anew, else read
 * @param random whether the blocks come in random order, each once; else from the first to the last
 * @param blockBytes what one operation reads or writes, a multiple of 8
 * @param count how many blocks
 * @param millis if above 0, the file is opened and read again until this time is over
 * @param seed of the order
 */
record AccessOrder(
    String file, boolean write, boolean random, int blockBytes, int count, long millis, long seed) {

  /** The same on another file or in another order. */
  AccessOrder of(String newFile, long newSeed) {
    return new AccessOrder(newFile, write, random, blockBytes, count, millis, newSeed);
  }

  /** The same file from its first to its last byte, with several blocks an operation. */
  AccessOrder inOrder(int blocks) {
    return new AccessOrder(file, write, false, blockBytes * blocks, count / blocks, millis, seed);
  }
}
