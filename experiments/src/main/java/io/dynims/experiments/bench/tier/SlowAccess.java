package io.dynims.experiments.bench.tier;

/**
 * A slow access, with what was seen meanwhile.
 *
 * @param endMillis when it was over, epoch milliseconds
 * @param micros how long it took
 * @param collectionMillis the time of garbage collections of its process
 * @param waitMicros how long its thread was ready to run, but had no processor
 * @param underStoreAccesses what anybody asked the under store for meanwhile
 * @param otherBlock whether it was in another block of Alluxio than the access before
 */
record SlowAccess(
    long endMillis,
    float micros,
    long collectionMillis,
    long waitMicros,
    long underStoreAccesses,
    boolean otherBlock) {

  /** When it began, epoch milliseconds. */
  double beginMillis() {
    return endMillis - micros / 1e3;
  }
}
