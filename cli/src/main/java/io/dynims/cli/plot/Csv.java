package io.dynims.cli.plot;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Writes lines of CSV, RFC 4180 but for the line ends. */
public final class Csv {

  private Csv() {}

  /** A line with these fields, in quotes where they need them. */
  public static String line(Object... fields) {
    return Arrays.stream(fields)
        .map(field -> quoted(field.toString()))
        .collect(Collectors.joining(",", "", "\n"));
  }

  private static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
