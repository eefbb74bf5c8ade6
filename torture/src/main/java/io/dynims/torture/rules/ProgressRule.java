package io.dynims.torture.rules;

import io.dynims.core.wire.Mode;
import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.NodeSetup.Reporting;
import io.dynims.torture.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tiers of a node that no fault has touched lately are decided, whatever other nodes send. */
final class ProgressRule {

  static final String NAME = "progress";

  /** A silence of the node, or of what is in force, is over after as long. */
  private static final long HEALING_MILLIS = 8_000;

  private static final long MOST_MILLIS = 450;
  private static final long MOST_BETWEEN_REPORTS_MILLIS = 850;

  private final World world;
  private final NodeView node;
  private final List<Event.PolicyChange> changes = new ArrayList<>();
  private final Map<String, Long> decidedMillis = new HashMap<>();

  ProgressRule(World world, NodeView node) {
    this.world = world;
    this.node = node;
    for (Event event : world.plan().events()) {
      if (event instanceof Event.PolicyChange change && change.node().equals(node.setup().name())) {
        changes.add(change);
      }
    }
  }

  void decided(String tier) {
    decidedMillis.put(tier, node.millis());
  }

  Optional<Violation> check() {
    boolean reports = node.setup().reporting() == Reporting.ByException;
    long most = reports ? MOST_BETWEEN_REPORTS_MILLIS : MOST_MILLIS;
    if (node.calmMillis() < HEALING_MILLIS || !world.job().isAlive()) {
      return Optional.empty();
    }
    for (var tier : node.setup().tiers()) {
      boolean decides =
          world.policy(tier.policy().key()).mode() != Mode.Off && !changedLately(tier.name());
      long since = node.millis() - decidedMillis.getOrDefault(tier.name(), 0L);
      if (decides && since > most) {
        return Optional.of(
            new Violation(
                NAME,
                node.millis(),
                "%s/%s: no decision for %d ms".formatted(node.setup().name(), tier.name(), since)));
      }
    }
    return Optional.empty();
  }

  private boolean changedLately(String tier) {
    for (Event.PolicyChange change : changes) {
      if (change.tier().equals(tier)
          && change.atMillis() <= node.millis()
          && node.millis() < change.atMillis() + HEALING_MILLIS) {
        return true;
      }
    }
    return false;
  }
}
