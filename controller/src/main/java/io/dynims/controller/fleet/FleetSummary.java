package io.dynims.controller.fleet;

import io.dynims.core.wire.OptionalField;
import io.dynims.policy.PolicyError;
import io.dynims.tier.TierStatus;
import java.util.List;
import java.util.Objects;

/**
 * The fleet in a few figures.
 *
 * @param pausedTiers how many tiers somebody paused
 * @param capacityBytes the capacities in force, as far as tiers have told them
 * @param usedBytes what the tiers hold, as far as they have told it
 * @param meanHitRatio the mean of the tiers' hit ratios, in [0, 1]; null if no tier tells one
 * @param hitRatioTiers how many tiers tell a hit ratio
 * @param lastHour for how long nodes were out of memory, and would have been with static tiers
 * @param errorCount how many errors policy documents have
 * @param errors the first of them
 * @param warningCount how many problems policies in effect have
 * @param warnings the first of them
 */
public record FleetSummary(
    int nodes,
    int tiers,
    int pausedTiers,
    long capacityBytes,
    long usedBytes,
    @OptionalField Double meanHitRatio,
    int hitRatioTiers,
    MemoryTime lastHour,
    int errorCount,
    List<PolicyError> errors,
    int warningCount,
    List<PolicyWarning> warnings) {

  /** How many errors and warnings are listed. */
  static final int MAX_LISTED = 20;

  /** The figures now. */
  public static FleetSummary of(Fleet fleet) {
    List<Tier> tiers = fleet.tiers();
    List<PolicyError> errors = fleet.errors();
    List<PolicyWarning> warnings = fleet.warnings();
    List<TierStatus> known = tiers.stream().map(Tier::inForce).filter(Objects::nonNull).toList();
    double[] ratios =
        known.stream()
            .map(TierStatus::hitRatio)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .toArray();
    double ratioSum = 0;
    for (double ratio : ratios) {
      ratioSum += ratio;
    }
    return new FleetSummary(
        (int) tiers.stream().map(tier -> tier.key().node()).distinct().count(),
        tiers.size(),
        (int) tiers.stream().filter(tier -> tier.document().paused()).count(),
        known.stream().mapToLong(TierStatus::capacityBytes).sum(),
        known.stream().mapToLong(TierStatus::occupiedBytes).sum(),
        ratios.length == 0 ? null : ratioSum / ratios.length,
        ratios.length,
        fleet.memoryTime().lastHour(fleet.nowMillis()),
        errors.size(),
        errors.stream().limit(MAX_LISTED).toList(),
        warnings.size(),
        warnings.stream().limit(MAX_LISTED).toList());
  }
}
