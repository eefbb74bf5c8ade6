package io.dynims.core.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.Forecast;
import io.dynims.core.law.Limit;
import io.dynims.core.law.Share;
import java.util.Objects;

/**
 * One decision for one tier, with everything that explains it. Optional fields are null in records
 * of earlier versions.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param desiredBytes the capacity decided, u[i+1]
 * @param previousBytes the capacity the law was given, u[i]
 * @param tierUsedBytes what the tier held; null if unknown
 * @param tierUsedAgeMillis how much older that figure is than the memory's; null if unknown
 * @param unevictableBytes what the tier could not give when it was last asked; null if unknown
 * @param memoryUsedBytes v
 * @param memoryTotalBytes M
 * @param utilization r = v / M; above 1 where the node overdraws its budget
 * @param pressure the share of the time since the last sample in which tasks waited for memory;
 *     null if unknown
 * @param hintedBytes what jobs were about to take by their hints; null for nothing
 * @param threshold r0
 * @param gain λ
 * @param stepBytes what the law took from the capacity before bounds, negative for growth; 0 where
 *     the law was not asked
 * @param forecast how the law {@code Forecast} came to it; null where another law or none decided
 * @param share its part of a decision for several tiers of the node; null where it was decided
 *     alone
 * @param action what the decision does to the capacity
 * @param reason one sentence for people
 * @param limitedBy what kept it from being the law's own result
 * @param decidedBy who decided; null for the job
 * @param sampledMillis when the memory was sampled, epoch milliseconds by the node's clock; where
 *     the node left the sample out because nothing had changed, when it would have been taken
 * @param acknowledgedMillis when the tier reported u[i], epoch milliseconds by the controller's
 *     clock; null where that is not known
 * @param decidedMillis when it was decided, epoch milliseconds by the job's clock
 */
public record Target(
    String node,
    String tier,
    long desiredBytes,
    long previousBytes,
    @OptionalField Long tierUsedBytes,
    @OptionalField Long tierUsedAgeMillis,
    @OptionalField Long unevictableBytes,
    long memoryUsedBytes,
    long memoryTotalBytes,
    double utilization,
    @OptionalField Double pressure,
    @OptionalField Long hintedBytes,
    @OptionalField Double threshold,
    @OptionalField Double gain,
    @OptionalField Long stepBytes,
    @OptionalField Forecast forecast,
    @OptionalField Share share,
    Action action,
    String reason,
    Limit limitedBy,
    @OptionalField Decider decidedBy,
    long sampledMillis,
    @OptionalField Long acknowledgedMillis,
    long decidedMillis) {

  /**
   * Checks the names and the ranges of what others are given.
   *
   * @throws IllegalArgumentException naming the field
   */
  public Target {
    Require.name("node", node);
    Require.name("tier", tier);
    Require.notNegative("desiredBytes", desiredBytes);
    Require.amount("previousBytes", previousBytes);
    Require.amount("tierUsedBytes", tierUsedBytes);
    Require.amount("unevictableBytes", unevictableBytes);
    Require.notNegative("memoryUsedBytes", memoryUsedBytes);
    Require.notNegative("memoryTotalBytes", memoryTotalBytes);
    Require.notNegative("hintedBytes", hintedBytes);
    Require.amount("sampledMillis", sampledMillis);
    Require.amount("decidedMillis", decidedMillis);
  }

  /**
   * The record of a decision.
   *
   * @param reason one sentence for people
   * @param acknowledgedMillis when the tier reported u[i]; null if unknown
   */
  public static Target of(
      TierKey key,
      CapacityDecision decision,
      String reason,
      Long acknowledgedMillis,
      long decidedMillis) {
    long sampledMillis = decision.input().sampledMillis();
    return of(key, decision, reason, sampledMillis, acknowledgedMillis, decidedMillis);
  }

  /**
   * The record of a decision whose sample counts as taken at another time than the law saw.
   *
   * @param reason one sentence for people
   * @param acknowledgedMillis when the tier reported u[i]; null if unknown
   */
  public static Target of(
      TierKey key,
      CapacityDecision decision,
      String reason,
      long sampledMillis,
      Long acknowledgedMillis,
      long decidedMillis) {
    var input = decision.input();
    var parameters = decision.parameters();
    return new Target(
        key.node(),
        key.tier(),
        decision.desiredBytes(),
        input.capacityBytes(),
        input.tier().usedBytes(),
        input.tierUsedAgeMillis(),
        input.unevictableBytes(),
        input.memoryUsedBytes(),
        input.memoryTotalBytes(),
        input.utilization(),
        Double.isNaN(input.pressure()) ? null : input.pressure(),
        input.hintedBytes() == 0 ? null : input.hintedBytes(),
        parameters.threshold(),
        parameters.gain(),
        Math.round(decision.stepBytes()),
        decision.forecast(),
        decision.share(),
        decision.action(),
        reason,
        decision.limitedBy(),
        null,
        sampledMillis,
        acknowledgedMillis,
        decidedMillis);
  }

  /**
   * An equal record that shares equal objects with an earlier decision for the same tier, so that
   * thousands of kept decisions do not each hold a copy.
   */
  public Target sharing(Target earlier) {
    return copy(earlier, reason, decidedBy);
  }

  /**
   * The same decision, made by the guard on the node.
   *
   * @param why why the guard decided; it precedes the reason of the decision
   */
  public Target byGuard(String why) {
    return copy(this, why + "; " + reason, Decider.Guard);
  }

  private Target copy(Target earlier, String why, Decider decider) {
    return new Target(
        earlier.node,
        earlier.tier,
        desiredBytes,
        previousBytes,
        shared(tierUsedBytes, earlier.tierUsedBytes),
        tierUsedAgeMillis,
        shared(unevictableBytes, earlier.unevictableBytes),
        memoryUsedBytes,
        memoryTotalBytes,
        utilization,
        shared(pressure, earlier.pressure),
        shared(hintedBytes, earlier.hintedBytes),
        shared(threshold, earlier.threshold),
        shared(gain, earlier.gain),
        stepBytes,
        forecast,
        share,
        action,
        why,
        limitedBy,
        decider,
        sampledMillis,
        acknowledgedMillis,
        decidedMillis);
  }

  private static <T> T shared(T own, T earlier) {
    return Objects.equals(own, earlier) ? earlier : own;
  }

  /** The key of its Kafka record. */
  @JsonIgnore
  public TierKey key() {
    return new TierKey(node, tier);
  }
}
