package io.dynims.mpiio;

import io.dynims.adapter.runtime.StoreReading;
import io.dynims.core.wire.OptionalField;

/**
 * The agent's answer to {@code status} and {@code resize}. Its counters start at 0 with the arena.
 *
 * @param capacityBytes the limit in force
 * @param maxBytes the largest limit, that of the arena
 * @param blockBytes the size of a block
 * @param usedBytes the blocks in use
 * @param residentBytes what the arena takes of the node's memory
 * @param dirtyBytes what is not in the file system yet
 * @param unevictableBytes the dirty blocks above the limit, and those that a stopped program holds
 * @param hits reads that the cache served
 * @param misses reads that loaded from the file system
 * @param bypassedReads reads for which the cache had no room
 * @param passedThrough calls that the cache has passed on to the file system
 * @param files files with an entry in the cache
 * @param ranks processes that share the arena
 * @param reached whether a resize is complete; only in the answer to one
 */
record AgentStatus(
    long capacityBytes,
    long maxBytes,
    long blockBytes,
    long usedBytes,
    long residentBytes,
    long dirtyBytes,
    long unevictableBytes,
    long hits,
    long misses,
    long hitBytes,
    long missBytes,
    long bypassedReads,
    long passedThrough,
    long evictedBlocks,
    long flushedBytes,
    long flushErrors,
    long files,
    long ranks,
    String version,
    @OptionalField Boolean reached) {

  /**
   * Checks what the adapter calculates with.
   *
   * @throws IllegalArgumentException naming the field and its value
   */
  AgentStatus {
    requireAtLeast("capacityBytes", capacityBytes, 0);
    requireAtLeast("blockBytes", blockBytes, 1);
    requireAtLeast("usedBytes", usedBytes, 0);
    requireAtLeast("residentBytes", residentBytes, 0);
    requireAtLeast("dirtyBytes", dirtyBytes, 0);
    requireAtLeast("unevictableBytes", unevictableBytes, 0);
  }

  private static void requireAtLeast(String field, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(field + ": " + value + " is below " + least);
    }
  }

  /**
   * What the tier is told. Dirty bytes are not among what exists nowhere else, below which laws do
   * not go: the agent writes them when the limit falls.
   */
  StoreReading reading() {
    return new StoreReading(
        capacityBytes,
        usedBytes,
        residentBytes,
        unevictableBytes,
        hits,
        misses,
        "dynims-mpiio-agent " + version);
  }
}
