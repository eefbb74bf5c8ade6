package io.dynims.controller.fleet;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Target;

/**
 * Tracks what limits a tier's decisions. It ignores limits that last only for a moment, and those
 * that come and go as long as all is well.
 */
final class LimitDebounce {

  /** How long a limit must last; the history shows shorter ones. */
  static final long MIN_MILLIS = 5_000;

  private Limit settled = Limit.None;
  private Limit candidate = Limit.None;
  private long sinceMillis;

  /** The limit that last held for long enough. */
  Limit settled() {
    return settled;
  }

  /** Records a decision; returns whether {@link #settled} has changed. */
  boolean record(Target target) {
    // Stale metrics are a state of the tier, and logged as such.
    if (target.limitedBy() == Limit.Stale) {
      return false;
    }
    Limit limit = isNormal(target.limitedBy()) ? Limit.None : target.limitedBy();
    if (limit != candidate) {
      candidate = limit;
      sinceMillis = target.decidedMillis();
    }
    if (candidate == settled || target.decidedMillis() - sinceMillis < MIN_MILLIS) {
      return false;
    }
    settled = candidate;
    return true;
  }

  private static boolean isNormal(Limit limit) {
    return limit == Limit.DeadBand || limit == Limit.Settling;
  }
}
