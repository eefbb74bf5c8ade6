package io.dynims.adapter.runtime;

import io.dynims.runtime.config.Config;
import io.dynims.tier.CapacityBounds;
import java.util.concurrent.TimeUnit;

/**
 * The settings of every {@link LimitedTier}, checked.
 *
 * @param tier the tier's name
 * @param bounds the capacities that it accepts
 * @param budgetNanos the longest that one resize takes
 */
public record LimitedSettings(String tier, CapacityBounds bounds, long budgetNanos) {

  /**
   * Reads the settings; rejects those that cannot be used.
   *
   * @param leastBytes the smallest limit that the store can have
   */
  public static LimitedSettings read(Config config, AdapterSettings all, long leastBytes) {
    if (all.maxBytes().isEmpty()) {
      config.reject("tier.max", "is required: the most memory that the server may use for data");
    }
    if (all.minBytes() < leastBytes) {
      config.reject(
          "tier.min", "is below " + leastBytes + " bytes, the least that the store takes");
    }
    long budgetNanos = TimeUnit.MILLISECONDS.toNanos(config.millis("resize.budget"));
    if (budgetNanos <= 0) {
      config.reject("resize.budget", "is not above 0");
    }
    long maxBytes = Math.max(all.minBytes(), all.maxBytes().orElse(0L));
    return new LimitedSettings(
        all.tier(), new CapacityBounds(all.minBytes(), maxBytes), budgetNanos);
  }
}
