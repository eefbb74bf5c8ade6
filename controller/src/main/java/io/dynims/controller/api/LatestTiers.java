package io.dynims.controller.api;

import io.dynims.controller.fleet.FleetChanges;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The tiers as the clients of the streams are to see them, which all of them share. */
final class LatestTiers {

  private final Map<TierKey, LatestTier> tiers =
      new TreeMap<>(Comparator.comparing(TierKey::node).thenComparing(TierKey::tier));
  private int nextIndex;

  /**
   * What an update has changed.
   *
   * @param complete tiers that are new, withdrawn, or changed in more than their numbers
   * @param numbers tiers that have changed in their numbers only
   */
  record Changes(List<LatestTier> complete, List<LatestTier> numbers) {}

  /** All tiers, sorted by node and name. */
  List<LatestTier> all() {
    return List.copyOf(tiers.values());
  }

  /** Applies what was read from the fleet. */
  Changes apply(FleetChanges.Update update) {
    List<LatestTier> complete = new ArrayList<>();
    List<LatestTier> numbers = new ArrayList<>();
    Set<TierKey> missing = new LinkedHashSet<>(update.changed());
    for (TierView view : update.views()) {
      TierKey key = new TierKey(view.node(), view.tier());
      boolean changed = missing.remove(key);
      LatestTier tier = tiers.get(key);
      if (tier == null) {
        tier = new LatestTier(nextIndex++, view);
        tiers.put(key, tier);
        complete.add(tier);
      } else if (tier.update(view)) {
        complete.add(tier);
      } else if (changed) {
        numbers.add(tier);
      }
    }
    for (TierKey key : missing) {
      LatestTier tier = tiers.remove(key);
      if (tier != null) {
        tier.withdraw();
        complete.add(tier);
      }
    }
    return new Changes(complete, numbers);
  }

  void clear() {
    tiers.clear();
  }
}
