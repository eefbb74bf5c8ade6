package io.dynims.policy;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.MemorySize;
import io.dynims.core.quantity.Quantities;
import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.OnLostControl;

/** Reads {@code spec.onLostControl} and {@code spec.guard} of a document. */
final class GuardReader {

  private static final String FALLBACK_CAPACITY = "fallbackCapacity";

  private GuardReader() {}

  /**
   * Reads how the guard protects a node; rejects what is invalid, and then returns the default.
   *
   * @param threshold r0 of the same document
   */
  static GuardPolicy read(YamlMapping spec, double threshold) {
    OnLostControl onLostControl =
        spec.optional(
            "onLostControl",
            OnLostControl.Follow,
            text -> FieldValues.oneOf(OnLostControl.class, text));
    YamlMapping guard = spec.mapping("guard");
    Double criticalUtilization =
        guard.optional("criticalUtilization", null, text -> criticalUtilization(text, threshold));
    double pressureLimit =
        guard.optional(
            "pressureLimit", ForecastParameters.DEFAULT_PRESSURE_LIMIT, FieldValues::pressureLimit);
    boolean fallback = onLostControl == OnLostControl.Fallback;
    boolean given = guard.has(FALLBACK_CAPACITY);
    MemorySize capacity = guard.optional(FALLBACK_CAPACITY, null, Quantities::memorySize);
    if (fallback && !given) {
      guard.reject(FALLBACK_CAPACITY, "is required; spec.onLostControl is Fallback");
    } else if (!fallback && given) {
      guard.reject(
          FALLBACK_CAPACITY, "belongs to Fallback; spec.onLostControl is " + onLostControl);
    }
    guard.refuseUnknown();
    return fallback == (capacity != null)
        ? new GuardPolicy(onLostControl, criticalUtilization, pressureLimit, capacity)
        : GuardPolicy.DEFAULT;
  }

  private static double criticalUtilization(String text, double threshold) {
    double value = FieldValues.number(text);
    if (value < threshold) {
      throw new IllegalArgumentException(value + " is below law.threshold, " + threshold);
    }
    return FieldValues.inRange(
        value,
        () ->
            new GuardPolicy(
                OnLostControl.Follow, value, ForecastParameters.DEFAULT_PRESSURE_LIMIT, null));
  }
}
