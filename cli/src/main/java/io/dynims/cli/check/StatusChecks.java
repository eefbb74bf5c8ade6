package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.check.TierProbe.Answer;
import io.dynims.core.wire.OptionalField;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierStatus;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What {@code GET /v1/tier} answers at rest: fields, types, ranges, and whether they agree. */
final class StatusChecks {

  private static final long LEAST_RANGE_BYTES = 1 << 20;

  private final TierProbe probe;

  StatusChecks(TierProbe probe) {
    this.probe = probe;
  }

  void addTo(Map<String, TierCheck.Check> checks) {
    checks.put("fields", this::fields);
    checks.put("bounds", this::bounds);
    checks.put("used-within-capacity", this::usedWithinCapacity);
  }

  private String fields() throws CheckFailedException, IOException, InterruptedException {
    Answer answer = probe.get(TierApi.PATH);
    require(answer.status() == 200, "GET %s: %s".formatted(TierApi.PATH, answer.text()));
    String type = answer.header("Content-Type");
    require(type.startsWith("application/json"), "Content-Type is '%s'".formatted(type));
    JsonNode body = answer.json();
    require(body.isObject(), "the body is no JSON object");
    List<String> wrong = new ArrayList<>();
    for (RecordComponent field : TierStatus.class.getRecordComponents()) {
      JsonNode value = body.path(field.getName());
      boolean absent = value.isMissingNode() || value.isNull();
      if (absent && !field.isAnnotationPresent(OptionalField.class)) {
        wrong.add(field.getName() + " is missing");
      } else if (!absent && !isOfType(value, field.getType())) {
        wrong.add(field.getName() + ": " + text(value) + " is not " + name(field.getType()));
      }
    }
    require(wrong.isEmpty(), String.join("; ", wrong));
    return body.size() + " fields, each of its type";
  }

  private static boolean isOfType(JsonNode value, Class<?> type) {
    if (type == long.class || type == Long.class) {
      return value.isIntegralNumber() && value.canConvertToLong();
    }
    if (type == Double.class) {
      return value.isNumber();
    }
    if (type == Boolean.class) {
      return value.isBoolean();
    }
    boolean isKnown =
        !type.isEnum()
            || Arrays.stream(type.getEnumConstants())
                .anyMatch(e -> e.toString().equals(value.asText()));
    return value.isTextual() && !value.asText().isBlank() && isKnown;
  }

  private static String text(JsonNode value) {
    return value.isNumber() ? value.decimalValue().toPlainString() : value.toString();
  }

  private static String name(Class<?> type) {
    if (type.isEnum()) {
      return "one of " + Arrays.toString(type.getEnumConstants());
    }
    if (type == String.class) {
      return "a text";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    return type == Double.class ? "a number" : "an integer of 64 bits";
  }

  private String bounds() throws CheckFailedException, IOException, InterruptedException {
    JsonNode body = probe.get(TierApi.PATH).json();
    for (RecordComponent field : TierStatus.class.getRecordComponents()) {
      JsonNode value = body.path(field.getName());
      require(
          !value.isNumber() || value.asDouble() >= 0,
          "%s: %s is below 0".formatted(field.getName(), value));
    }
    require(
        body.path("hitRatio").asDouble() <= 1,
        "hitRatio: %s is above 1".formatted(body.path("hitRatio")));
    TierReading now = TierReading.of(body);
    require(
        now.maxBytes() - now.minBytes() >= LEAST_RANGE_BYTES,
        "maxBytes, %d, is not at least 1 MiB above minBytes, %d: there is nothing to resize"
            .formatted(now.maxBytes(), now.minBytes()));
    return "a capacity of %d bytes, from %d to %d"
        .formatted(now.capacityBytes(), now.minBytes(), now.maxBytes());
  }

  private String usedWithinCapacity()
      throws CheckFailedException, IOException, InterruptedException {
    TierReading now =
        probe.await("usedBytes at most capacityBytes + unevictableBytes", TierReading::usedFits);
    return "%d bytes used of %d".formatted(now.usedBytes(), now.capacityBytes());
  }
}
