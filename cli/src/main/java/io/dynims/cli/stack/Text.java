package io.dynims.cli.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats bytes, durations and tables for a terminal. */
public final class Text {

  private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Text() {}

  /** Such as {@code 1.5 GiB}. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= 1024 && unit < BYTE_UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, "%.1f %s", value, BYTE_UNITS[unit]);
  }

  /** Such as {@code 80 ms}, {@code 5.1 s}, {@code 3 min}, {@code 2 h}. */
  public static String millis(long millis) {
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < 120_000) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }
    return millis < 7_200_000 ? millis / 60_000 + " min" : millis / 3_600_000 + " h";
  }

  /** Lines with columns as wide as their widest cell; the first row is the header. */
  public static List<String> table(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] width = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(width[i] - row.get(i).length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
