package io.dynims.controller.fleet;

import java.lang.reflect.RecordComponent;

/**
 * A line of the log that people read and programs take apart: {@code key=value}, separated by
 * spaces. A value that is empty or has spaces, quotes or equals signs is quoted, with backslashes
 * before quotes.
 */
public final class LogLine {

  private final StringBuilder text = new StringBuilder();

  /** A line about an event. */
  static LogLine of(String event) {
    return new LogLine().and("event", event);
  }

  /** A line with all that a record tells; what is null is left out. */
  public static LogLine of(String event, Record told) {
    LogLine line = of(event);
    for (RecordComponent component : told.getClass().getRecordComponents()) {
      try {
        line.and(component.getName(), component.getAccessor().invoke(told));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return line;
  }

  /** The same and one more, unless the value is null. */
  LogLine and(String key, Object value) {
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
