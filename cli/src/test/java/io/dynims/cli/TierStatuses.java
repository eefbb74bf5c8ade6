package io.dynims.cli;

import io.dynims.tier.TierStatus;

/** States of a store that tells more than {@link io.dynims.tier.InMemoryTierStore} does. */
public final class TierStatuses {

  private TierStatuses() {}

  /**
   * The same state, with what it tells of memory.
   *
   * @param nodeMemoryBytes the memory of the node; null for unknown
   * @param residentBytes what the data really takes; null if that is {@code usedBytes}
   */
  public static TierStatus withMemory(TierStatus status, Long nodeMemoryBytes, Long residentBytes) {
    return new TierStatus(
        status.tier(),
        status.capacityBytes(),
        status.minBytes(),
        status.maxBytes(),
        status.usedBytes(),
        status.reservedBytes(),
        status.unevictableBytes(),
        status.unpersistedBytes(),
        status.hitRatio(),
        status.storeVersion(),
        nodeMemoryBytes,
        residentBytes);
  }
}
