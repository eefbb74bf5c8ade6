package io.dynims.controller.fleet;

/**
 * How many decisions are kept in full, in addition to the downsampled last hour.
 *
 * @param perTier the maximum for one tier
 * @param inAll the maximum for all tiers; a large fleet keeps fewer per tier
 */
public record HistoryBound(int perTier, int inAll) {

  /** Checks the values. */
  public HistoryBound {
    if (perTier < 1 || inAll < 1) {
      throw new IllegalArgumentException("at least one decision must be kept");
    }
  }

  /** How many are kept of each tier, at least 1. */
  int ofEach(int tiers) {
    return Math.max(1, Math.min(perTier, inAll / tiers));
  }
}
