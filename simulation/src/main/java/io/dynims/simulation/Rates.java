package io.dynims.simulation;

import io.dynims.core.quantity.Quantities;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fast a tier gives memory back and takes it.
 *
 * @param freeBytesPerSecond at least 0; infinite for at once
 * @param fillBytesPerSecond at least 0; infinite for at once
 */
public record Rates(double freeBytesPerSecond, double fillBytesPerSecond) {

  public static final Rates UNLIMITED =
      new Rates(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  /** A quantity that may end in B for bytes and in /s. */
  private static final Pattern RATE = Pattern.compile("\\s*(.*?)B?\\s*(?:/\\s*s)?\\s*");

  /**
   * Bytes per second from a text such as {@code 10GiB/s}, {@code 1G} or {@code 1048576}.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static double parse(String text) {
    Matcher rate = RATE.matcher(text);
    try {
      if (rate.matches()) {
        return Quantities.bytes(rate.group(1));
      }
    } catch (IllegalArgumentException e) {
      // Told below, with the text as it was given.
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a number of bytes per second such as 10GiB/s, 1G or 1048576");
  }
}
