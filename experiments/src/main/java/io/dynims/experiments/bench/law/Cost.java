package io.dynims.experiments.bench.law;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/**
 * The cost of a call.
 *
 * @param nanos the mean duration
 * @param nanosError half the width of the 99.9 % confidence interval
 * @param bytes the bytes allocated
 */
record Cost(double nanos, double nanosError, double bytes) {

  static Cost of(JsonNode json) {
    return new Cost(json.path("nanos").asDouble(), json.path("nanosError").asDouble(), bytes(json));
  }

  /** Fractions of a byte come from the measurement, not from the call. */
  private static double bytes(JsonNode json) {
    return Math.rint(json.required("bytes").asDouble());
  }

  List<String> row(String call) {
    return List.of(
        call,
        String.format(Locale.ROOT, "%.1f ± %.1f", nanos, nanosError),
        String.format(Locale.ROOT, "%.0f", bytes));
  }
}
