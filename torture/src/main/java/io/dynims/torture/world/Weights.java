package io.dynims.torture.world;

import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The weights of a node's tiers, as they are known where documents are read. */
final class Weights {

  private Weights() {}

  /** Gives the policies of a node the weights of its other tiers; returns those that change. */
  static Set<TierKey> share(Map<TierKey, Policy> policies, String node) {
    List<Policy> ofNode =
        policies.values().stream().filter(each -> each.node().equals(node)).toList();
    double sum = ofNode.stream().mapToDouble(Weights::weight).sum();
    Set<TierKey> changed = new LinkedHashSet<>();
    for (Policy policy : ofNode) {
      Policy shared = policy.with(policy.share().beside(sum - weight(policy)));
      if (!shared.equals(policies.put(policy.key(), shared))) {
        changed.add(policy.key());
      }
    }
    return changed;
  }

  /** Tiers that are not resized take no part. */
  private static double weight(Policy policy) {
    return policy.mode() == Mode.Enforce ? policy.share().weight() : 0;
  }
}
