package io.dynims.adapter.runtime;

import io.dynims.core.wire.Unpersisted;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;

/** Counts the bytes that a tier's data gives up when the tier shrinks. */
final class MeteredTier implements TierStore {

  private final TierStore tier;
  private final AdapterMetrics metrics;

  /** The state after the last resize; null before the first. Resizes come one at a time. */
  private TierStatus last;

  MeteredTier(TierStore tier, AdapterMetrics metrics) {
    this.tier = tier;
    this.metrics = metrics;
  }

  @Override
  public TierStatus status() throws StoreUnavailableException {
    return tier.status();
  }

  /**
   * Compares with the previous resize, so that what the reconciler freed in between counts, too.
   */
  @Override
  public TierStatus resize(long desiredBytes) throws StoreUnavailableException {
    TierStatus now = tier.resize(desiredBytes);
    if (last != null && now.capacityBytes() < last.capacityBytes()) {
      metrics.recordFreed(Math.max(0, last.occupiedBytes() - now.occupiedBytes()));
    }
    last = now;
    return now;
  }

  @Override
  public void setUnpersisted(Unpersisted what) {
    tier.setUnpersisted(what);
  }
}
