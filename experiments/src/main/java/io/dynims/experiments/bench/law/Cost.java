package io.dynims.experiments.bench.law;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/**
 * What a call costs.
 *
 * @param nanos on average
 * @param nanosError half the width of the 99.9 % confidence interval
 * @param bytes allocated
 */
record Cost(double nanos, double nanosError, double bytes) {

  static Cost of(JsonNode json) {
    return new Cost(json.path("nanos").asDouble(), json.path("nanosError").asDouble(), bytes(json));
  }

  /** Less than a byte is not the call's but the measurement's own. */
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
