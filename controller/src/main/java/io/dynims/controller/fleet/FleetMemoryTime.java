package io.dynims.controller.fleet;

import io.dynims.core.wire.Target;
import io.dynims.tier.TierStatus;
import java.util.HashMap;
import java.util.Map;

/** For how long the nodes of the fleet were out of memory in the last hour. */
final class FleetMemoryTime {

  private final Map<String, NodeMemoryTime> nodes = new HashMap<>();

  /** Adds a new decision for a tier. */
  void add(Tier tier, Target target) {
    node(tier).add(target, maxBytes(tier, target), tier.policy().staleAfterMillis());
  }

  /** Adds a decision for a tier from before this program started; they come oldest first. */
  void addEarlier(Tier tier, Target target) {
    node(tier).addEarlier(target, maxBytes(tier, target), tier.policy().staleAfterMillis());
  }

  /** Forgets a tier. */
  void remove(Tier tier) {
    nodes.computeIfPresent(
        tier.key().node(), (name, node) -> node.remove(tier.key().tier()) ? null : node);
  }

  /** The last hour of all nodes. */
  MemoryTime lastHour(long nowMillis) {
    return nodes.values().stream()
        .map(node -> node.lastHour(nowMillis))
        .reduce(MemoryTime.NONE, MemoryTime::plus);
  }

  private NodeMemoryTime node(Tier tier) {
    return nodes.computeIfAbsent(tier.key().node(), name -> new NodeMemoryTime());
  }

  /** The policy's maximum, or the store's own if that is less. */
  private static long maxBytes(Tier tier, Target target) {
    long policyBytes = tier.policy().maxBytesOf(target.memoryTotalBytes());
    TierStatus inForce = tier.inForce();
    return inForce == null ? policyBytes : Math.min(policyBytes, inForce.maxBytes());
  }
}
