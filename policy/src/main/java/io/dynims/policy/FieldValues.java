package io.dynims.policy;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.quantity.Quantities;
import java.util.List;

/**
 * Parses the texts of fields. Every parser throws IllegalArgumentException saying what is wrong.
 */
final class FieldValues {

  private FieldValues() {}

  static <E extends Enum<E>> E oneOf(Class<E> type, String text) {
    return oneOf(List.of(type.getEnumConstants()), text);
  }

  static <T> T oneOf(List<T> values, String text) {
    return values.stream()
        .filter(value -> value.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is not one of "
                        + String.join(", ", values.stream().map(Object::toString).toList())));
  }

  static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a number", e);
    }
  }

  /** The share of time in which tasks wait for memory, as a percentage above 0%. */
  static double pressureLimit(String text) {
    double value = Quantities.ratio(text);
    return inRange(value, () -> ForecastParameters.checkPressureLimit(value));
  }

  /** The value, if the record that defines its range accepts it. */
  static <T> T inRange(T value, Runnable check) {
    try {
      check.run();
      return value;
    } catch (IllegalArgumentException e) {
      String message = e.getMessage();
      throw new IllegalArgumentException(message.substring(message.indexOf(": ") + 2), e);
    }
  }
}
