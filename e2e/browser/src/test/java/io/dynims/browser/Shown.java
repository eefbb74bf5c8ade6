package io.dynims.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Formats values of the API as the page should show them. */
final class Shown {

  private static final String NOTHING = "–";
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.S");

  private Shown() {}

  static String text(JsonNode value) {
    return value.isMissingNode() ? NOTHING : value.asText();
  }

  static String percent(JsonNode ratio) {
    return ratio.isMissingNode() ? NOTHING : percent(ratio.asDouble());
  }

  static String percent(double ratio) {
    return tenths(ratio * 100) + "%";
  }

  static String bytes(JsonNode count) {
    return count.isMissingNode() ? NOTHING : bytes(count.asLong());
  }

  static String bytes(long count) {
    double value = count;
    String unit = "";
    for (String next : new String[] {"Ki", "Mi", "Gi", "Ti"}) {
      if (Math.abs(value) < (unit.isEmpty() ? 1024 : 1023.95)) {
        break;
      }
      value /= 1024;
      unit = next;
    }
    return unit.isEmpty() ? "" + count : tenths(value) + unit;
  }

  static String change(long count) {
    return (count > 0 ? "+" : "") + bytes(count);
  }

  /** A time below two minutes. */
  static String duration(JsonNode millis) {
    long count = millis.asLong();
    return count < 1_000 ? count + "ms" : tenths(count / 1e3) + "s";
  }

  /** The time of day in the time zone of the test, which is that of the browser. */
  static String time(JsonNode millis) {
    return TIME.format(Instant.ofEpochMilli(millis.asLong()).atZone(ZoneId.systemDefault()));
  }

  private static String tenths(double value) {
    return new BigDecimal(value).setScale(1, RoundingMode.HALF_UP).toPlainString();
  }
}
