package io.dynims.controller.fleet;

import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierView;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Collects the keys of tiers that change, but only while a reader wants them. For the fleet's event
 * loop.
 */
public final class FleetChanges {

  private final Fleet fleet;
  private Set<TierKey> changed = new LinkedHashSet<>();
  private boolean collecting;

  /**
   * What a reader has to know after its last read.
   *
   * @param views the views of all tiers, or of those that have changed and still exist
   * @param changed the tiers that were added, changed or removed since the last read
   */
  public record Update(List<TierView> views, Set<TierKey> changed) {}

  /** Collects nothing yet. */
  public FleetChanges(Fleet fleet) {
    this.fleet = fleet;
    fleet.onChange(this::add);
    fleet.onRemove(this::add);
  }

  private void add(Tier tier) {
    if (collecting) {
      changed.add(tier.key());
    }
  }

  /** The views of all tiers; from now on, changes are collected. */
  public Update readAll() {
    collecting = true;
    return new Update(fleet.views(), drain());
  }

  /** The views of the tiers that have changed. */
  public Update readChanged() {
    Set<TierKey> keys = drain();
    List<TierView> views =
        keys.stream().map(fleet::tier).filter(Objects::nonNull).map(fleet::view).toList();
    return new Update(views, keys);
  }

  private Set<TierKey> drain() {
    Set<TierKey> drained = changed;
    changed = new LinkedHashSet<>();
    return drained;
  }

  /** Stops collecting changes. */
  public void stop() {
    collecting = false;
    changed.clear();
  }
}
