package io.dynims.core.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.LawType;

/**
 * How one tier of one node is to be sized.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param mode how far to go
 * @param law which law decides
 * @param threshold r0, in (0, 1)
 * @param gain λ, in (0, 2]
 * @param minBytes Umin
 * @param maxBytes Umax
 * @param memoryBudgetBytes the memory that this node may use, above 0; null for its MemTotal
 * @param intervalMillis T, the least time between two decisions, 10 to 3,600,000
 * @param staleAfterMillis the age from which metrics are not acted on, at least the interval
 * @param onDelete what becomes of the tier once nobody claims it any more; null as {@code Keep}
 */
public record Policy(
    String node,
    String tier,
    Mode mode,
    LawType law,
    double threshold,
    double gain,
    long minBytes,
    long maxBytes,
    @OptionalField Long memoryBudgetBytes,
    long intervalMillis,
    long staleAfterMillis,
    @OptionalField OnDelete onDelete) {

  public static final long MIN_INTERVAL_MILLIS = 10;
  public static final long MAX_INTERVAL_MILLIS = 3_600_000;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field, its value and its range
   */
  public Policy {
    var unusedKey = new TierKey(node, tier);
    var unusedParameters = new LawParameters(threshold, gain, minBytes, maxBytes);
    if (memoryBudgetBytes != null && memoryBudgetBytes <= 0) {
      throw new IllegalArgumentException(
          "memoryBudgetBytes: " + memoryBudgetBytes + " is not above 0");
    }
    if (intervalMillis < MIN_INTERVAL_MILLIS || intervalMillis > MAX_INTERVAL_MILLIS) {
      throw new IllegalArgumentException(
          "intervalMillis: "
              + intervalMillis
              + " is not from "
              + MIN_INTERVAL_MILLIS
              + " to "
              + MAX_INTERVAL_MILLIS);
    }
    if (staleAfterMillis < intervalMillis) {
      throw new IllegalArgumentException(
          "staleAfterMillis: " + staleAfterMillis + " is below intervalMillis, " + intervalMillis);
    }
  }

  /** The key of its Kafka record. */
  @JsonIgnore
  public TierKey key() {
    return new TierKey(node, tier);
  }

  /** What the law is told. */
  @JsonIgnore
  public LawParameters parameters() {
    return new LawParameters(threshold, gain, minBytes, maxBytes);
  }

  /**
   * What the law is to see.
   *
   * @param capacityBytes u, what the tier acknowledged last: not what it was wished to be
   * @param memoryUsedBytes v
   * @param nodeMemoryBytes the node's memory, which is M unless the policy gives a budget
   */
  public LawInput input(long capacityBytes, long memoryUsedBytes, long nodeMemoryBytes) {
    return new LawInput(
        capacityBytes,
        memoryUsedBytes,
        memoryBudgetBytes == null ? nodeMemoryBytes : memoryBudgetBytes);
  }

  /** Asks the policy's law. */
  public CapacityDecision decide(LawInput input) {
    return law.create(parameters()).decide(input);
  }
}
