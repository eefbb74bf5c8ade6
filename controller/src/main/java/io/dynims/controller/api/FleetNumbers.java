package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.core.wire.TierView;
import java.util.List;

/**
 * What a scrape of the metrics reads from the fleet.
 *
 * @param errors the number of errors in policies
 * @param withheld the number of tiers that are not withdrawn yet although no document names them
 */
record FleetNumbers(List<TierView> tiers, int errors, int withheld) {

  static FleetNumbers of(Fleet fleet) {
    return new FleetNumbers(fleet.views(), fleet.errors().size(), fleet.withheld().size());
  }
}
