package io.dynims.flink;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;

/**
 * News about a tier: its policy, an ack, or, if both are null, the withdrawal of its policy.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param policy the policy that applies from now on, or null
 * @param ack the latest ack, or null
 */
public record TierUpdate(String node, String tier, Policy policy, Ack ack) {

  static TierUpdate of(Policy policy) {
    return new TierUpdate(policy.node(), policy.tier(), policy, null);
  }

  static TierUpdate of(Ack ack) {
    return new TierUpdate(ack.node(), ack.tier(), null, ack);
  }

  static TierUpdate withdrawal(TierKey key) {
    return new TierUpdate(key.node(), key.tier(), null, null);
  }
}
