package io.dynims.tier;

/** Range checks of record components; the messages name the field, as the codec expects. */
final class Require {

  private Require() {}

  static void notNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + ": " + value + " is below 0");
    }
  }
}
