package io.dynims.core.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.ControlLaw;
import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.law.NodeModel;

/**
 * How one tier of one node is to be sized. Each bound is given either in bytes or as a ratio of M,
 * the memory that the node may use; a ratio is resolved where the sample is, which tells M.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param mode how far to go
 * @param law which law decides
 * @param threshold r0, in (0, 1)
 * @param gain λ, above 0 and at most what the law allows
 * @param forecast the parameters of {@code Forecast}; null for any other law
 * @param minBytes Umin in bytes, at least 0; null where {@code minRatio} is given
 * @param minRatio Umin as a part of M, in [0, 1]; null where {@code minBytes} is given
 * @param maxBytes Umax in bytes, at least 0; null where {@code maxRatio} is given
 * @param maxRatio Umax as a part of M, in [0, 1]; null where {@code maxBytes} is given
 * @param memoryBudgetBytes the memory that this node may use, above 0; null for all it has
 * @param intervalMillis T, the least time between two decisions, 10 to 3,600,000
 * @param staleAfterMillis the age at which metrics are too old to act on, from the interval to
 *     86,400,000
 * @param onDelete what happens to the tier when no policy names it; null means {@code Keep}
 * @param unpersisted what happens to data that exists only in the tier; never null, {@code Protect}
 *     where JSON has none
 * @param guard how the guard on the node protects it; never null, the default where JSON has none
 * @param share its part of the steps of a node with several tiers; never null, the default where
 *     JSON has none
 */
public record Policy(
    String node,
    String tier,
    Mode mode,
    LawType law,
    double threshold,
    double gain,
    @OptionalField ForecastParameters forecast,
    @OptionalField Long minBytes,
    @OptionalField Double minRatio,
    @OptionalField Long maxBytes,
    @OptionalField Double maxRatio,
    @OptionalField Long memoryBudgetBytes,
    long intervalMillis,
    long staleAfterMillis,
    @OptionalField OnDelete onDelete,
    @OptionalField Unpersisted unpersisted,
    @OptionalField GuardPolicy guard,
    @OptionalField SharePolicy share) {

  public static final long MIN_INTERVAL_MILLIS = 10;
  public static final long MAX_INTERVAL_MILLIS = 3_600_000;

  /** 24 hours. */
  public static final long MAX_STALE_AFTER_MILLIS = 86_400_000;

  /** {@code staleAfterMillis} of a policy that does not set it, unless its interval is longer. */
  public static final long DEFAULT_STALE_AFTER_MILLIS = 2_000;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field, its value and its range
   */
  public Policy {
    unpersisted = unpersisted == null ? Unpersisted.Protect : unpersisted;
    guard = guard == null ? GuardPolicy.DEFAULT : guard;
    share = share == null ? SharePolicy.DEFAULT : share;
    var unusedKey = new TierKey(node, tier);
    var unusedParameters = new LawParameters(threshold, gain, 0, 0);
    law.check(gain, forecast);
    requireBound("min", minBytes, minRatio);
    requireBound("max", maxBytes, maxRatio);
    if (minBytes != null && maxBytes != null && maxBytes < minBytes) {
      throw new IllegalArgumentException(
          "maxBytes: " + maxBytes + " is below minBytes, " + minBytes);
    }
    if (minRatio != null && maxRatio != null && maxRatio < minRatio) {
      throw new IllegalArgumentException(
          "maxRatio: " + maxRatio + " is below minRatio, " + minRatio);
    }
    if (memoryBudgetBytes != null) {
      checkMemoryBudget(memoryBudgetBytes);
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
    if (staleAfterMillis < intervalMillis || staleAfterMillis > MAX_STALE_AFTER_MILLIS) {
      throw new IllegalArgumentException(
          "staleAfterMillis: "
              + staleAfterMillis
              + " is not from intervalMillis, "
              + intervalMillis
              + ", to "
              + MAX_STALE_AFTER_MILLIS);
    }
  }

  /** A policy with the law's own parameters, the guard's and the share at their defaults. */
  public Policy(
      String node,
      String tier,
      Mode mode,
      LawType law,
      double threshold,
      double gain,
      Long minBytes,
      Double minRatio,
      Long maxBytes,
      Double maxRatio,
      Long memoryBudgetBytes,
      long intervalMillis,
      long staleAfterMillis,
      OnDelete onDelete) {
    this(
        node,
        tier,
        mode,
        law,
        threshold,
        gain,
        law.defaults(intervalMillis),
        minBytes,
        minRatio,
        maxBytes,
        maxRatio,
        memoryBudgetBytes,
        intervalMillis,
        staleAfterMillis,
        onDelete,
        null,
        null,
        null);
  }

  /**
   * Checks M.
   *
   * @throws IllegalArgumentException naming the field, its value and its range
   */
  public static void checkMemoryBudget(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("memoryBudgetBytes: " + bytes + " is not above 0");
    }
  }

  private static void requireBound(String name, Long bytes, Double ratio) {
    if ((bytes == null) == (ratio == null)) {
      throw new IllegalArgumentException(
          name + "Bytes: exactly one of " + name + "Bytes and " + name + "Ratio is needed");
    }
    if (bytes != null && bytes < 0) {
      throw new IllegalArgumentException(name + "Bytes: " + bytes + " is below 0");
    }
    if (ratio != null && !(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException(name + "Ratio: " + ratio + " is not from 0 to 1");
    }
  }

  /** The key of its Kafka record. */
  @JsonIgnore
  public TierKey key() {
    return new TierKey(node, tier);
  }

  /** M on a node with this much memory: never more than that, whatever the policy allows. */
  public long memoryTotalBytes(long nodeMemoryBytes) {
    return memoryBudgetBytes == null
        ? nodeMemoryBytes
        : Math.min(memoryBudgetBytes, nodeMemoryBytes);
  }

  /** Umin where M is so much; where it would be above Umax, Umax holds. */
  public long minBytesOf(long memoryTotalBytes) {
    return Math.min(givenMinBytes(memoryTotalBytes), maxBytesOf(memoryTotalBytes));
  }

  /** Whether a percentage and bytes contradict each other where M is so much. */
  public boolean isMinAboveMax(long memoryTotalBytes) {
    return givenMinBytes(memoryTotalBytes) > maxBytesOf(memoryTotalBytes);
  }

  private long givenMinBytes(long memoryTotalBytes) {
    return minBytes != null ? minBytes : (long) (minRatio * memoryTotalBytes);
  }

  /** Umax where M is so much. */
  public long maxBytesOf(long memoryTotalBytes) {
    return maxBytes != null ? maxBytes : (long) (maxRatio * memoryTotalBytes);
  }

  /** The law's parameters where M is so much and the tier holds so much unpersisted data. */
  public LawParameters parameters(long memoryTotalBytes, long unpersistedBytes) {
    return new LawParameters(
        threshold,
        gain,
        minBytesOf(memoryTotalBytes),
        maxBytesOf(memoryTotalBytes),
        unpersisted == Unpersisted.Protect ? unpersistedBytes : 0,
        forecast);
  }

  /** The law's parameters where M is so much. */
  public LawParameters parameters(long memoryTotalBytes) {
    return parameters(memoryTotalBytes, 0);
  }

  /** Asks the policy's law. */
  public CapacityDecision decide(LawInput input, NodeModel model) {
    return decide(input, 0, model);
  }

  /** Asks the policy's law where the tier holds so much unpersisted data. */
  public CapacityDecision decide(LawInput input, long unpersistedBytes, NodeModel model) {
    return ControlLaw.of(parameters(input.memoryTotalBytes(), unpersistedBytes))
        .decide(input, model);
  }

  /** The same policy in another mode. */
  public Policy withMode(Mode newMode) {
    return with(newMode, threshold, memoryBudgetBytes);
  }

  /**
   * The same policy with another law.
   *
   * @param newForecast the parameters of {@code Forecast}; null for any other law
   */
  public Policy withLaw(
      LawType newLaw, double newThreshold, double newGain, ForecastParameters newForecast) {
    return with(mode, newLaw, newThreshold, newGain, newForecast, memoryBudgetBytes, share);
  }

  /** The same policy in another mode, with another r0 and another M. */
  public Policy with(Mode newMode, double newThreshold, Long newMemoryBudgetBytes) {
    return with(newMode, law, newThreshold, gain, forecast, newMemoryBudgetBytes, share);
  }

  /** The same policy with another share of the node's steps. */
  public Policy with(SharePolicy newShare) {
    return with(mode, law, threshold, gain, forecast, memoryBudgetBytes, newShare);
  }

  private Policy with(
      Mode newMode,
      LawType newLaw,
      double newThreshold,
      double newGain,
      ForecastParameters newForecast,
      Long newMemoryBudgetBytes,
      SharePolicy newShare) {
    return new Policy(
        node,
        tier,
        newMode,
        newLaw,
        newThreshold,
        newGain,
        newForecast,
        minBytes,
        minRatio,
        maxBytes,
        maxRatio,
        newMemoryBudgetBytes,
        intervalMillis,
        staleAfterMillis,
        onDelete,
        unpersisted,
        guard,
        newShare);
  }
}
