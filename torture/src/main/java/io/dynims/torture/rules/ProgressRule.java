package io.dynims.torture.rules;

import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
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
  private final List<Event> changes = new ArrayList<>();
  private final Map<String, Long> decidedMillis = new HashMap<>();

  ProgressRule(World world, NodeView node) {
    this.world = world;
    this.node = node;
    for (Event event : world.plan().events()) {
      boolean isChange = event instanceof Event.PolicyChange || event instanceof Event.Withdrawal;
      if (isChange && event.node().equals(node.setup().name())) {
        changes.add(event);
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
      Policy policy = world.policy(tier.policy().key());
      boolean decides = policy != null && policy.mode() != Mode.Off && !changedLately(tier.name());
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
    for (Event change : changes) {
      String of =
          change instanceof Event.Withdrawal withdrawal
              ? withdrawal.tier()
              : ((Event.PolicyChange) change).tier();
      if (of.equals(tier)
          && change.atMillis() <= node.millis()
          && node.millis() < change.endMillis() + HEALING_MILLIS) {
        return true;
      }
    }
    return false;
  }
}
