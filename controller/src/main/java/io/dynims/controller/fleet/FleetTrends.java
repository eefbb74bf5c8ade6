package io.dynims.controller.fleet;

import java.util.List;

/**
 * The last hour of all tiers in a few numbers each.
 *
 * @param startMillis when the first interval starts
 * @param intervalMillis the length of an interval
 * @param tiers sorted by node and name
 */
public record FleetTrends(long startMillis, long intervalMillis, List<TierTrend> tiers) {

  /** The trends until now. */
  public static FleetTrends of(Fleet fleet) {
    long nowMillis = fleet.nowMillis();
    return new FleetTrends(
        TierTrend.startMillis(nowMillis),
        TierTrend.INTERVAL_MILLIS,
        fleet.tiers().stream().map(tier -> tier.trend(nowMillis)).toList());
  }
}
