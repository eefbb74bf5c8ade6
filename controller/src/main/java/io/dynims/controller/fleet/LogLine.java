package io.dynims.controller.fleet;

import io.dynims.core.law.MemorySize;
import io.dynims.core.law.Share;
import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.SharePolicy;
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

  /**
   * A line with all components of a record that are not null. A component that is a record itself
   * adds its own components under their names; the guard's limit is {@code guardPressureLimit}, and
   * those of a share begin with {@code share}.
   */
  public static LogLine of(String event, Record values) {
    return of(event).withAll(values);
  }

  private LogLine withAll(Record values) {
    for (RecordComponent component : values.getClass().getRecordComponents()) {
      try {
        with(component.getName(), component.getAccessor().invoke(values));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return this;
  }

  /** Adds a value unless it is null. */
  LogLine with(String key, Object value) {
    if (value instanceof MemorySize size) {
      return size.bytes() == null
          ? with(key + "Ratio", size.ratio())
          : with(key + "Bytes", size.bytes());
    }
    if (value instanceof GuardPolicy guard) {
      return with("onLostControl", guard.onLostControl())
          .with("criticalUtilization", guard.criticalUtilization())
          .with("guardPressureLimit", guard.pressureLimit())
          .with("fallbackCapacity", guard.fallbackCapacity());
    }
    if (value instanceof SharePolicy share) {
      return with("shareWeight", share.weight())
          .with("shareNodeWeight", share.nodeWeight())
          .with("shareByHits", share.byHits());
    }
    if (value instanceof Share share) {
      return with("shareRatio", share.ratio())
          .with("shareTiers", share.tiers())
          .with("shareCapacityBytes", share.capacityBytes())
          .with("shareStepBytes", share.stepBytes());
    }
    if (value instanceof Record record) {
      return withAll(record);
    }
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
