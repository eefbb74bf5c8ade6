package io.dynims.core.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.Limit;

/**
 * One decision for one tier.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param capacityBytes the capacity decided, u[i+1]
 * @param previousBytes the capacity the law was given, u[i]
 * @param memoryUsedBytes v
 * @param memoryTotalBytes M
 * @param utilization r = v / M; above 1 where the node overdraws its budget
 * @param action what the decision does to the capacity
 * @param reason one sentence for people
 * @param limitedBy what kept it from being the law's own result
 * @param sampledMillis when the memory was sampled, epoch milliseconds by the node's clock
 * @param decidedMillis when it was decided, epoch milliseconds by the job's clock
 */
public record Target(
    String node,
    String tier,
    long capacityBytes,
    long previousBytes,
    long memoryUsedBytes,
    long memoryTotalBytes,
    double utilization,
    Action action,
    String reason,
    Limit limitedBy,
    long sampledMillis,
    long decidedMillis) {

  /** The record of a decision. */
  public static Target of(
      TierKey key,
      CapacityDecision decision,
      String reason,
      long sampledMillis,
      long decidedMillis) {
    var input = decision.input();
    return new Target(
        key.node(),
        key.tier(),
        decision.capacityBytes(),
        input.capacityBytes(),
        input.memoryUsedBytes(),
        input.memoryTotalBytes(),
        input.utilization(),
        decision.action(),
        reason,
        decision.limitedBy(),
        sampledMillis,
        decidedMillis);
  }

  /** The key of its Kafka record. */
  @JsonIgnore
  public TierKey key() {
    return new TierKey(node, tier);
  }
}
