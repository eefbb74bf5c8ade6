package io.dynims.adapter.runtime;

/**
 * What a store says of itself at one moment.
 *
 * @param limitBytes its own limit; {@link Long#MAX_VALUE} if it has none
 * @param usedBytes the data that it counts against the limit
 * @param residentBytes the memory that the node lacks because of it: more than {@code usedBytes}
 *     where memory is fragmented, less where the store counts pages that it has never touched
 * @param unevictableBytes the data above the limit that the store knows it cannot evict yet; 0 if
 *     it does not tell
 * @param hits reads that it has served since it started
 * @param misses reads that it could not serve
 * @param version the store's name and version
 */
public record StoreReading(
    long limitBytes,
    long usedBytes,
    long residentBytes,
    long unevictableBytes,
    long hits,
    long misses,
    String version) {

  /** Of a store that does not tell what it cannot evict. */
  public StoreReading(
      long limitBytes, long usedBytes, long residentBytes, long hits, long misses, String version) {
    this(limitBytes, usedBytes, residentBytes, 0, hits, misses, version);
  }
}
