package io.dynims.core.wire;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.MemorySize;

/**
 * How the guard on a node protects it. In every mode the guard brakes: above the critical
 * utilization, or under memory pressure above the threshold, it shrinks the tier at once.
 *
 * @param onLostControl what it does besides while no controller has the tier
 * @param criticalUtilization the utilization to brake at, in (0, 1]; null for half way between the
 *     threshold and 1
 * @param pressureLimit the share of time in which tasks wait for memory, in (0, 1], above which to
 *     brake at the threshold already; 1 for never
 * @param fallbackCapacity the capacity of {@code Fallback}; null with any other mode
 */
public record GuardPolicy(
    OnLostControl onLostControl,
    @OptionalField Double criticalUtilization,
    double pressureLimit,
    @OptionalField MemorySize fallbackCapacity) {

  /** What holds where a policy says nothing. */
  public static final GuardPolicy DEFAULT =
      new GuardPolicy(OnLostControl.Follow, null, ForecastParameters.DEFAULT_PRESSURE_LIMIT, null);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the field, its value and its range
   */
  public GuardPolicy {
    if (criticalUtilization != null && !(criticalUtilization > 0 && criticalUtilization <= 1)) {
      throw new IllegalArgumentException(
          "criticalUtilization: " + criticalUtilization + " is not above 0 and at most 1");
    }
    ForecastParameters.checkPressureLimit(pressureLimit);
    if ((onLostControl == OnLostControl.Fallback) != (fallbackCapacity != null)) {
      throw new IllegalArgumentException(
          fallbackCapacity == null
              ? "fallbackCapacity: is missing; onLostControl is Fallback"
              : "fallbackCapacity: belongs to Fallback, not " + onLostControl);
    }
  }

  /** The utilization to brake at where the policy has this threshold. */
  public double criticalUtilization(double threshold) {
    return criticalUtilization == null
        ? (1 + threshold) / 2
        : Math.max(threshold, criticalUtilization);
  }
}
