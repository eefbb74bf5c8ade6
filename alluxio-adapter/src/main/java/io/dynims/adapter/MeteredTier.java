package io.dynims.adapter;

import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;

/** Counts the memory that a tier's data gives up as the tier is made smaller. */
final class MeteredTier implements TierStore {

  private final TierStore tier;
  private final AdapterMetrics meters;

  /** After the last resize; null before the first. Resizes come one at a time. */
  private TierStatus last;

  MeteredTier(TierStore tier, AdapterMetrics meters) {
    this.tier = tier;
    this.meters = meters;
  }

  @Override
  public TierStatus status() throws StoreUnavailableException {
    return tier.status();
  }

  /** From one resize to the next, so that what an unfinished one frees afterwards counts, too. */
  @Override
  public TierStatus resize(long capacityBytes) throws StoreUnavailableException {
    TierStatus now = tier.resize(capacityBytes);
    if (last != null && now.capacityBytes() < last.capacityBytes()) {
      meters.freed(Math.max(0, last.usedBytes() - now.usedBytes()));
    }
    last = now;
    return now;
  }
}
