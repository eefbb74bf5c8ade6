package io.dynims.torture;

import io.dynims.core.wire.Mode;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.Plan;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the runs of many seeds have reached: states of the loop, and pairs of features of a run. */
final class SeedCoverage {

  private final Map<String, Integer> marks = new TreeMap<>();
  private final Set<String> features = new TreeSet<>();
  private final Set<String> pairs = new TreeSet<>();
  private double nodeMinutes;

  /** Counts a run. */
  void add(Run run) {
    run.marks().forEach((mark, count) -> marks.merge(mark, count, Integer::sum));
    nodeMinutes += run.plan().durationMillis() / 60e3 * run.plan().nodes().size();
    List<String> all = List.copyOf(features(run.plan()));
    features.addAll(all);
    addPairs(all, pairs);
  }

  /** The simulated time of all nodes. */
  double nodeMinutes() {
    return nodeMinutes;
  }

  /** Prints how often each state was reached, and the pairs of features that no run had. */
  void print(PrintWriter out) {
    marks.forEach((mark, count) -> out.printf("reached %,10d  %s%n", count, mark));
    List<String> missing = missingPairs();
    out.printf(
        "pairs of features: %d of %d in some run%n", pairs.size(), pairs.size() + missing.size());
    missing.forEach(pair -> out.printf("in no run: %s%n", pair));
  }

  /** The pairs of features that no run had. */
  List<String> missingPairs() {
    Set<String> missing = new TreeSet<>();
    addPairs(List.copyOf(features), missing);
    missing.removeAll(pairs);
    return List.copyOf(missing);
  }

  private static void addPairs(List<String> all, Set<String> to) {
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        to.add(all.get(i) + " with " + all.get(j));
      }
    }
  }

  /** What a plan has of all that a plan can have. */
  private static Set<String> features(Plan plan) {
    Set<String> found = new TreeSet<>();
    plan.events().forEach(event -> found.add(PlanText.name(event)));
    if (plan.controllers() > 1) {
      found.add("several controllers");
    }
    if (plan.encodes()) {
      found.add("encoded messages");
    }
    plan.nodes().forEach(node -> addFeatures(node, found));
    return found;
  }

  private static void addFeatures(NodeSetup node, Set<String> found) {
    found.add(node.reporting().name());
    found.add(node.measured() ? "measured tier" : "no measured tier");
    found.add(node.noiseBytes() > 0 ? "noise" : "no noise");
    found.add(node.tiers().size() > 1 ? "several tiers" : "one tier");
    if (node.drift() != 0) {
      found.add("drift");
    }
    for (var tier : node.tiers()) {
      found.add(tier.policy().law().name());
      found.add("guard " + tier.policy().guard().onLostControl());
      if (tier.policy().mode() != Mode.Enforce) {
        found.add("mode " + tier.policy().mode());
      }
      if (tier.budgetMillis() > 0) {
        found.add("late answers");
      }
      found.add(tier.store().limitsAtOnce() ? "limit at once" : "limit follows");
    }
  }
}
