package io.dynims.core.wire;

/** Range checks of record components; the messages name the field, as the codec expects. */
public final class Require {

  /** The largest number of bytes or milliseconds: exact in a double, and sums cannot overflow. */
  public static final long MAX = 1L << 53;

  private static final int MAX_NAME_LENGTH = 253;

  private Require() {}

  /** Refuses a number below 0 or above {@link #MAX}; null, for unknown, is allowed. */
  public static void amount(String field, Long value) {
    notNegative(field, value);
    if (value != null && value > MAX) {
      throw new IllegalArgumentException(field + ": " + value + " is above " + MAX);
    }
  }

  /** Refuses a number below 0; null, for unknown, is allowed. */
  public static void notNegative(String field, Long value) {
    if (value != null && value < 0) {
      throw new IllegalArgumentException(field + ": " + value + " is below 0");
    }
  }

  /** Refuses a ratio that is not in [0, 1]; null, for unknown, is allowed. */
  public static void ratio(String field, Double value) {
    if (value != null && !(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(field + ": " + value + " is not from 0 to 1");
    }
  }

  /** Refuses what is no name of a node or a tier: as in Kubernetes, at most 253 characters. */
  public static void name(String field, String value) {
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(field + ": is empty");
    }
    if (value.length() > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException(
          field + ": is longer than " + MAX_NAME_LENGTH + " characters");
    }
    if (value.indexOf('/') >= 0) {
      throw new IllegalArgumentException(field + ": '" + value + "' contains a slash");
    }
  }
}
