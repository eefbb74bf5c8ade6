package io.dynims.core.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;

/**
 * One collectd value list. Its fields come in any order, so all are recorded before any is
 * interpreted. The object is reused to avoid allocations.
 */
final class ValueList {

  /** A larger value is not a byte count; the sum of six cannot overflow. */
  private static final double MAX_BYTES = Require.MAX;

  /** The latest plausible time in seconds: the year 9999. */
  private static final double MAX_TIME_SECONDS = 253_402_300_799.0;

  private static final int USED = 1;
  private static final int FREE = 2;
  private static final int BUFFERED = 4;
  private static final int CACHED = 8;
  private static final int SLAB_RECLAIMABLE = 16;
  private static final int SLAB_UNRECLAIMABLE = 32;

  /** The longest time between two messages of a node, in seconds. */
  private static final double MAX_HEARTBEAT_SECONDS = 3_600;

  private double[] values = new double[13];
  private int valueCount;
  private String[] names = new String[13];
  private int nameCount;
  private double timeSeconds;
  private String host;
  private String plugin;
  private String type;
  private String typeInstance;

  /** Reads the object that the parser has just opened. */
  void read(JsonParser json) throws IOException, WireException {
    valueCount = 0;
    nameCount = 0;
    timeSeconds = Double.NaN;
    host = null;
    plugin = null;
    type = null;
    typeInstance = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken token = json.nextToken();
      switch (field) {
        case "values" -> readValues(json, token);
        case "dsnames" -> readNames(json, token);
        case "time" -> timeSeconds = number(json, token);
        case "host" -> host = text(json, token);
        case "plugin" -> plugin = text(json, token);
        case "type" -> type = text(json, token);
        case "type_instance" -> typeInstance = text(json, token);
        default -> json.skipChildren();
      }
    }
  }

  /** The memory reading in it, or null if it is about something else. */
  MemoryReading memoryReading() throws WireException {
    if ("dynims".equals(plugin) && "dynims_memory".equals(type)) {
      return whole();
    }
    return "memory".equals(plugin) && "memory".equals(type) ? part() : null;
  }

  private MemoryReading whole() throws WireException {
    long totalBytes = bytes("mem_total");
    long availableBytes = bytes("mem_available");
    if (totalBytes == 0) {
      throw wrong("mem_total", "is 0");
    }
    if (availableBytes > totalBytes) {
      throw wrong("mem_available", availableBytes + " is above mem_total, " + totalBytes);
    }
    // MemAvailable leaves out the free pages in the processors' own lists.
    long perCpuFreeBytes = indexOf("per_cpu_free") < 0 ? 0 : bytes("per_cpu_free");
    return new MemoryReading(
        host(),
        sampledMillis(),
        MemoryReading.WHOLE,
        totalBytes,
        Math.min(totalBytes, availableBytes + perCpuFreeBytes),
        tierUse(),
        optional("psi_some_micros"),
        heartbeatMillis(),
        orZero(optional("tolerance")));
  }

  /** How long the reader may leave out samples after this one; 0 if it sends every sample. */
  private long heartbeatMillis() throws WireException {
    int i = indexOf("heartbeat");
    if (i < 0 || i >= valueCount || Double.isNaN(values[i])) {
      return 0;
    }
    if (!(values[i] >= 0 && values[i] <= MAX_HEARTBEAT_SECONDS)) {
      throw wrong("values", "heartbeat is " + values[i] + ", which is not from 0 to 3600 seconds");
    }
    return Math.round(values[i] * 1_000);
  }

  private static long orZero(Long bytes) {
    return bytes == null ? 0 : bytes;
  }

  /** What the tier named by the type instance holds; null where the reader samples none. */
  private MemoryReading.TierUse tierUse() throws WireException {
    Long usedBytes = optional("tier_used");
    return usedBytes == null || typeInstance == null || typeInstance.isEmpty()
        ? null
        : new MemoryReading.TierUse(name("type_instance", typeInstance), usedBytes);
  }

  /** A value that a reader may leave out, or send as unknown. */
  private Long optional(String name) throws WireException {
    int i = indexOf(name);
    return i < 0 || i >= valueCount || Double.isNaN(values[i]) ? null : bytes(name, values[i]);
  }

  private MemoryReading part() throws WireException {
    int part = partOf(typeInstance);
    if (part == 0) {
      return null;
    }
    if (valueCount == 0) {
      throw wrong("values", "has no value for " + typeInstance);
    }
    long bytes = bytes(typeInstance, values[0]);
    boolean inUse = part == USED || part == SLAB_UNRECLAIMABLE;
    return new MemoryReading(host(), sampledMillis(), part, bytes, inUse ? 0 : bytes);
  }

  /** The part's bit; 0 for a part that is not one of the six. */
  private static int partOf(String typeInstance) throws WireException {
    if (typeInstance == null) {
      throw wrong("type_instance", "is missing");
    }
    return switch (typeInstance) {
      case "used" -> USED;
      case "free" -> FREE;
      case "buffered" -> BUFFERED;
      case "cached" -> CACHED;
      case "slab_recl" -> SLAB_RECLAIMABLE;
      case "slab_unrecl" -> SLAB_UNRECLAIMABLE;
      default -> 0;
    };
  }

  private long bytes(String name) throws WireException {
    int i = indexOf(name);
    if (i < 0) {
      throw wrong("dsnames", "has no " + name);
    }
    if (i >= valueCount) {
      throw wrong("values", "has no value for " + name);
    }
    return bytes(name, values[i]);
  }

  private int indexOf(String name) {
    for (int i = 0; i < nameCount; i++) {
      if (name.equals(names[i])) {
        return i;
      }
    }
    return -1;
  }

  private static long bytes(String name, double value) throws WireException {
    if (!(value >= 0 && value <= MAX_BYTES)) {
      throw wrong("values", name + " is " + value + ", which is not a byte count");
    }
    return Math.round(value);
  }

  private String host() throws WireException {
    if (host == null || host.isBlank()) {
      throw wrong("host", "is missing");
    }
    return name("host", host);
  }

  private static String name(String field, String name) throws WireException {
    try {
      Require.name(field, name);
    } catch (IllegalArgumentException e) {
      throw new WireException(field, "collectd: " + e.getMessage(), e);
    }
    return name;
  }

  private long sampledMillis() throws WireException {
    if (!(timeSeconds > 0 && timeSeconds <= MAX_TIME_SECONDS)) {
      throw wrong(
          "time", Double.isNaN(timeSeconds) ? "is missing" : timeSeconds + " is not an epoch time");
    }
    return Math.round(timeSeconds * 1_000);
  }

  private void readValues(JsonParser json, JsonToken token) throws IOException, WireException {
    if (token != JsonToken.START_ARRAY) {
      throw wrong("values", "is not an array");
    }
    for (JsonToken t = json.nextToken(); t != JsonToken.END_ARRAY; t = json.nextToken()) {
      if (valueCount == values.length) {
        values = Arrays.copyOf(values, 2 * valueCount);
      }
      values[valueCount++] = number(json, t);
    }
  }

  private void readNames(JsonParser json, JsonToken token) throws IOException, WireException {
    if (token != JsonToken.START_ARRAY) {
      throw wrong("dsnames", "is not an array");
    }
    for (JsonToken t = json.nextToken(); t != JsonToken.END_ARRAY; t = json.nextToken()) {
      if (nameCount == names.length) {
        names = Arrays.copyOf(names, 2 * nameCount);
      }
      names[nameCount++] = text(json, t);
    }
  }

  /** A number, or NaN for anything else: collectd writes NaN as null. */
  private static double number(JsonParser json, JsonToken token) throws IOException {
    if (token.isNumeric()) {
      return json.getDoubleValue();
    }
    json.skipChildren();
    return Double.NaN;
  }

  private static String text(JsonParser json, JsonToken token) throws IOException {
    if (token == JsonToken.VALUE_STRING) {
      return json.getText();
    }
    json.skipChildren();
    return null;
  }

  /**
   * An error in a message of collectd; the field is empty where the message as a whole is wrong.
   */
  static WireException wrong(String field, String what) {
    return new WireException(
        field, "collectd: " + (field.isEmpty() ? what : field + ": " + what), null);
  }
}
