package io.dynims.controller.fleet;

import java.lang.reflect.RecordComponent;

/**
 * A log line in the form {@code key=value}, separated by spaces. A value that is empty or contains
 * spaces, quotes or equals signs is quoted, and quotes in it are escaped with a backslash.
 */
public final class LogLine {

  private final StringBuilder text = new StringBuilder();

  /** A line about an event. */
  static LogLine of(String event) {
    return new LogLine().with("event", event);
  }

  /** A line with all components of a record that are not null. */
  public static LogLine of(String event, Record values) {
    LogLine line = of(event);
    for (RecordComponent component : values.getClass().getRecordComponents()) {
      try {
        line.with(component.getName(), component.getAccessor().invoke(values));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return line;
  }

  /** Adds a value unless it is null. */
  LogLine with(String key, Object value) {
    if (value != null) {
      text.append(text.isEmpty() ? "" : " ").append(key).append('=').append(quoted("" + value));
    }
    return this;
  }

  private static String quoted(String value) {
    if (!value.isEmpty() && value.chars().noneMatch(LogLine::needsQuotes)) {
      return value;
    }
    String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"");
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"';
  }

  private static boolean needsQuotes(int character) {
    return character <= ' ' || character == '"' || character == '=';
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
