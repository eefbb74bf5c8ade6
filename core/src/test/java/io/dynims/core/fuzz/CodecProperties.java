package io.dynims.core.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import io.dynims.core.law.MemorySize;
import io.dynims.core.wire.OptionalField;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What holds of every codec of the wire, whatever bytes it is given. */
public final class CodecProperties {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static final List<JsonNode> CONFUSING =
      Stream.of(
              "null",
              "true",
              "\"\"",
              "\" \"",
              "\"1\"",
              "\"NaN\"",
              "\"-Infinity\"",
              "\"a/b\"",
              "0",
              "-1",
              "0.5",
              "1e999",
              "9223372036854775807",
              "-9223372036854775808",
              "9223372036854775808",
              "[]",
              "[null]",
              "{}")
          .map(CodecProperties::parsed)
          .toList();

  private CodecProperties() {}

  /**
   * Checks that bytes are either refused with a message that names the record, or give a record
   * without a gap that is the same after another round.
   */
  public static <T extends Record> Outcome check(WireCodec<T> codec, Class<T> type, byte[] json) {
    T value;
    try {
      value = codec.decode(json);
    } catch (WireException e) {
      assertThat(e).hasMessageStartingWith(type.getSimpleName() + ": ");
      assertThat(e.getMessage()).doesNotEndWith(": null").doesNotContain("Cannot invoke");
      assertThat(e.field()).isNotNull();
      return Outcome.Refused;
    }
    requireWhole(type.getSimpleName(), value);
    assertThat(decode(codec, codec.encode(value))).isEqualTo(value);
    return Outcome.Accepted;
  }

  /**
   * Checks the same of some JSON and of what it becomes with one value, at any depth, replaced by
   * each value that decoders confuse.
   */
  public static <T extends Record> Outcome checkWithNeighbours(
      WireCodec<T> codec, Class<T> type, byte[] json) {
    JsonNode tree;
    try {
      tree = JSON.readTree(json);
    } catch (IOException e) {
      return check(codec, type, json);
    }
    replaceEach(tree, () -> check(codec, type, tree.toString().getBytes(UTF_8)));
    return check(codec, type, json);
  }

  private static void replaceEach(JsonNode tree, Runnable check) {
    if (tree instanceof ObjectNode object) {
      for (String name : names(object)) {
        JsonNode value = object.get(name);
        replaceEach(value, check);
        for (JsonNode confusing : CONFUSING) {
          object.set(name, confusing);
          check.run();
        }
        object.remove(name);
        check.run();
        object.set(name, value);
      }
    } else if (tree instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        JsonNode value = array.get(i);
        replaceEach(value, check);
        for (JsonNode confusing : CONFUSING) {
          array.set(i, confusing);
          check.run();
        }
        array.set(i, value);
      }
    }
  }

  private static List<String> names(ObjectNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T decode(WireCodec<T> codec, byte[] json) {
    try {
      return codec.decode(json);
    } catch (WireException e) {
      throw new AssertionError("refuses what it wrote", e);
    }
  }

  /** Checks that only optional parts are null, and that each number is one. */
  public static void requireWhole(String path, Object value) {
    if (value instanceof Double number) {
      assertThat(number).as(path).isFinite();
    } else if (value instanceof List<?> list) {
      for (Object each : list) {
        assertThat(each).as(path).isNotNull();
        requireWhole(path, each);
      }
    } else if (value instanceof Record whole) {
      for (RecordComponent part : whole.getClass().getRecordComponents()) {
        Object found = valueOf(whole, part);
        String name = path + "." + part.getName();
        if (found == null) {
          assertThat(isOptional(part)).as("%s may be null", name).isTrue();
        } else {
          requireWhole(name, found);
        }
      }
    }
  }

  private static boolean isOptional(RecordComponent part) {
    return part.isAnnotationPresent(OptionalField.class)
        || part.getDeclaringRecord() == MemorySize.class;
  }

  private static Object valueOf(Record whole, RecordComponent part) {
    try {
      return part.getAccessor().invoke(whole);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(part.toString(), e);
    }
  }
}
