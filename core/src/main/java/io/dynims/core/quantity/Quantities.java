package io.dynims.core.quantity;

import io.dynims.core.law.MemorySize;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads byte counts, durations and percentages as Kubernetes and its users write them. */
public final class Quantities {

  /** Longer texts are refused: the time to convert digits grows with the square of their count. */
  private static final int MAX_LENGTH = 64;

  private static final Pattern NUMBER_AND_UNIT =
      Pattern.compile("\\s*([0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-z%]*)\\s*");
  private static final Map<String, Long> BYTE_UNITS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("k", 1_000L),
          Map.entry("M", 1_000_000L),
          Map.entry("G", 1_000_000_000L),
          Map.entry("T", 1_000_000_000_000L),
          Map.entry("Ki", 1L << 10),
          Map.entry("Mi", 1L << 20),
          Map.entry("Gi", 1L << 30),
          Map.entry("Ti", 1L << 40));
  private static final Map<String, Long> MILLIS_UNITS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);

  private Quantities() {}

  /**
   * Bytes from a text such as {@code 60Gi}, {@code 1.5G} or {@code 1048576}. A part of a byte
   * counts as a byte, as in Kubernetes: {@code 1.1Gi} is no whole number of them.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static long bytes(String text) {
    String expected = "a number of bytes such as 1048576, 512Mi or 60Gi";
    return whole(text, read(text, BYTE_UNITS, expected).setScale(0, RoundingMode.CEILING));
  }

  /**
   * Milliseconds from a text such as {@code 100ms}, {@code 2s} or {@code 5m}.
   *
   * @throws IllegalArgumentException when it is none, or no whole number of milliseconds
   */
  public static long millis(String text) {
    return whole(text, read(text, MILLIS_UNITS, "a duration such as 100ms, 2s or 5m"));
  }

  /** Whether the text is a percentage. */
  public static boolean isPercentage(String text) {
    return text.strip().endsWith("%");
  }

  /**
   * A ratio in [0, 1] from a text such as {@code 25%}.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static double ratio(String text) {
    Matcher matcher = matcher(text);
    if (matcher.matches() && matcher.group(2).equals("%")) {
      double ratio = Double.parseDouble(matcher.group(1)) / 100;
      if (ratio <= 1) {
        return ratio;
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not a percentage from 0% to 100%");
  }

  /**
   * Bytes such as {@code 60Gi}, or a part such as {@code 25%}.
   *
   * @throws IllegalArgumentException when the text is neither
   */
  public static MemorySize memorySize(String text) {
    return isPercentage(text) ? MemorySize.ofRatio(ratio(text)) : MemorySize.ofBytes(bytes(text));
  }

  private static Matcher matcher(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "'" + text.substring(0, MAX_LENGTH) + "…' is not a quantity: it is too long");
    }
    return NUMBER_AND_UNIT.matcher(text);
  }

  private static BigDecimal read(String text, Map<String, Long> units, String expected) {
    Matcher matcher = matcher(text);
    if (matcher.matches() && units.containsKey(matcher.group(2))) {
      return new BigDecimal(matcher.group(1))
          .multiply(BigDecimal.valueOf(units.get(matcher.group(2))));
    }
    throw new IllegalArgumentException("'" + text + "' is not " + expected);
  }

  private static long whole(String text, BigDecimal number) {
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number, or too large", e);
    }
  }
}
