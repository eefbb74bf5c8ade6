package io.dynims.simulation;

import io.dynims.core.quantity.Quantities;
import io.dynims.core.wire.Hint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A hint that the tier's adapter gets during a simulation.
 *
 * @param atMillis when, counted from the first row, at least 0
 * @param bytes how much memory it announces, above 0
 * @param forMillis for how long it holds, above 0
 */
public record SimulatedHint(long atMillis, long bytes, long forMillis) {

  private static final Set<String> KEYS = Set.of("at", "bytes", "for");
  private static final String DEFAULT_FOR = "10m";

  /** Checks the ranges. */
  public SimulatedHint {
    if (atMillis < 0) {
      throw new IllegalArgumentException("at: " + atMillis + " ms is below 0");
    }
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes: " + bytes + " is not above 0");
    }
    if (forMillis < 1) {
      throw new IllegalArgumentException("for: " + forMillis + " ms is not above 0");
    }
  }

  /**
   * Reads a text such as {@code at=10s,bytes=2Gi,for=1m}; without {@code for} the hint holds for
   * ten minutes.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static SimulatedHint parse(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? part : part.substring(0, equals);
      boolean known = equals > 0 && KEYS.contains(key);
      if (!known || fields.put(key, part.substring(equals + 1)) != null) {
        throw new IllegalArgumentException(
            "'" + text + "' is not of the form at=10s,bytes=2Gi[,for=10m]");
      }
    }
    if (!fields.containsKey("at") || !fields.containsKey("bytes")) {
      throw new IllegalArgumentException("'" + text + "' lacks at or bytes");
    }
    return new SimulatedHint(
        Quantities.millis(fields.get("at")),
        Quantities.bytes(fields.get("bytes")),
        Quantities.millis(fields.getOrDefault("for", DEFAULT_FOR)));
  }

  /** The hint as an adapter tells it, if the simulation began at this time. */
  Hint hint(String owner, long firstMillis) {
    long startMillis = firstMillis + atMillis;
    return new Hint(owner, bytes, startMillis, startMillis + forMillis);
  }
}
