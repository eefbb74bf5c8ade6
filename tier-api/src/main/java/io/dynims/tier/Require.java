package io.dynims.tier;

/** Range checks of record components; the messages name the field, as the codec expects. */
final class Require {

  private Require() {}

  static void notNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + ": " + value + " is below 0");
    }
  }

  static void ratio(String field, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(field + ": " + value + " is not in [0, 1]");
    }
  }
}
