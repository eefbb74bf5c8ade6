package io.dynims.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Reads one mapping of a document; reports each invalid field and continues. A field without a
 * value, as templates leave it, is as if it were absent.
 */
final class YamlMapping {

  private final String path;
  private final Map<?, ?> values;
  private final BiConsumer<String, String> errors;
  private final Set<String> known = new HashSet<>();

  /**
   * Reads a mapping.
   *
   * @param path where it is in the document; empty at the top
   * @param errors receives the path of each invalid field, and the reason
   */
  YamlMapping(String path, Map<?, ?> values, BiConsumer<String, String> errors) {
    this.path = path;
    this.values = new LinkedHashMap<>(values);
    this.values.values().removeIf(Objects::isNull);
    this.errors = errors;
  }

  /** A nested mapping; empty if it is absent or of another type. */
  YamlMapping mapping(String name) {
    Object value = take(name);
    if (value != null && !(value instanceof Map)) {
      reject(name, describe(value) + " is not a mapping");
    }
    return new YamlMapping(path(name), value instanceof Map<?, ?> map ? map : Map.of(), errors);
  }

  /** A list of mappings with at least one entry. */
  List<YamlMapping> mappings(String name) {
    Object value = take(name);
    if (!(value instanceof List<?> list) || list.isEmpty()) {
      reject(name, value == null ? "is required" : describe(value) + " is not a list of entries");
      return List.of();
    }
    List<YamlMapping> entries = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      String entry = name + "[" + i + "]";
      if (list.get(i) instanceof Map<?, ?> map) {
        entries.add(new YamlMapping(path(entry), map, errors));
      } else {
        reject(entry, describe(list.get(i)) + " is not a mapping");
      }
    }
    return entries;
  }

  /** A required text. */
  Optional<String> text(String name) {
    return converted(name, Function.identity(), YamlMapping::textOf);
  }

  /** A value parsed from its text, or the default if it is absent. */
  <T> T optional(String name, T otherwise, Function<String, T> reader) {
    known.add(name);
    return values.containsKey(name)
        ? converted(name, reader, YamlMapping::scalarOf).orElse(otherwise)
        : otherwise;
  }

  /** A required value, parsed from its text. */
  <T> Optional<T> required(String name, Function<String, T> reader) {
    return converted(name, reader, YamlMapping::scalarOf);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Accepts a field unread. */
  void ignore(String name) {
    known.add(name);
  }

  void reject(String name, String reason) {
    errors.accept(path(name), reason);
  }

  /** Reports every field that no getter asked for. Call it after the last getter. */
  void refuseUnknown() {
    for (Object name : values.keySet()) {
      if (!known.contains(String.valueOf(name))) {
        reject(
            String.valueOf(name),
            "is not a field; known here are "
                + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  private <T> Optional<T> converted(
      String name, Function<String, T> reader, Function<Object, String> scalar) {
    Object value = take(name);
    if (value == null) {
      reject(name, "is required");
      return Optional.empty();
    }
    try {
      return Optional.of(reader.apply(scalar.apply(value)));
    } catch (IllegalArgumentException e) {
      reject(name, e.getMessage());
      return Optional.empty();
    }
  }

  private Object take(String name) {
    known.add(name);
    return values.get(name);
  }

  private String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String textOf(Object value) {
    if (value instanceof String text && !text.isBlank()) {
      return text;
    }
    throw new IllegalArgumentException(describe(value) + " is not a text; put it in quotes");
  }

  private static String scalarOf(Object value) {
    if (value instanceof Map || value instanceof List) {
      throw new IllegalArgumentException(describe(value) + " is not a single value");
    }
    return value.toString();
  }

  private static String describe(Object value) {
    if (value instanceof Map) {
      return "a mapping";
    }
    return value instanceof List ? "a list" : "'" + value + "'";
  }
}
