package io.dynims.torture;

import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.Plan;
import io.dynims.torture.rules.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/** Cuts a plan that violates a rule down to few nodes and events that still do. */
final class Shrinker {

  private static final long AFTER_MILLIS = 100;

  private final Function<Plan, OptionalLong> violatedMillis;

  /** A shrinker for plans that violate a rule. */
  Shrinker(String rule) {
    this(
        plan -> {
          Violation violation = Run.of(plan).violations().get(rule);
          return violation == null ? OptionalLong.empty() : OptionalLong.of(violation.millis());
        });
  }

  /**
   * A shrinker.
   *
   * @param violatedMillis when a plan violates what it must not; empty if it does not
   */
  Shrinker(Function<Plan, OptionalLong> violatedMillis) {
    this.violatedMillis = violatedMillis;
  }

  /** The smallest plan that was found. */
  Plan shrink(Plan plan) {
    Plan least = plan.until(violatedMillis.apply(plan).orElseThrow() + AFTER_MILLIS);
    least = violates(least) ? least : plan;
    Plan before;
    do {
      before = least;
      least = withFewerNodes(least);
      least = withFewerEvents(least);
    } while (!least.equals(before));
    return least;
  }

  private Plan withFewerNodes(Plan plan) {
    Plan least = plan;
    for (NodeSetup node : plan.nodes()) {
      List<NodeSetup> others = new ArrayList<>(least.nodes());
      others.remove(node);
      if (!others.isEmpty()) {
        Plan fewer = least.withNodes(others);
        least = violates(fewer) ? fewer : least;
      }
    }
    return least;
  }

  private Plan withFewerEvents(Plan plan) {
    Plan least = plan;
    int size = Math.max(1, plan.events().size() / 2);
    while (true) {
      for (int from = 0; from < least.events().size(); ) {
        int to = Math.min(least.events().size(), from + size);
        List<Event> others = new ArrayList<>(least.events());
        others.subList(from, to).clear();
        Plan fewer = least.with(others);
        if (violates(fewer)) {
          least = fewer;
        } else {
          from = to;
        }
      }
      if (size == 1) {
        return least;
      }
      size = size / 2;
    }
  }

  private boolean violates(Plan plan) {
    return violatedMillis.apply(plan).isPresent();
  }
}
